import {
  COUNTRIES,
  GENRES,
  LANGUAGES,
  accent,
  makeName,
  makeProse,
  makeTitle,
} from '../support/prose.js';
import { makeSeries, repeat } from '../support/random-values.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;

/**
 * Modelled on the MFlix collection of movies: documents of realistic size with varying field order.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'movies',
  stresses: 'about 20 fields, some optional, in many orders; short arrays, nesting, text',
  digest: 'sha256:461c2be7e3ecb090f903149fdb59b3e06ca13f55c794f63de127085f58efe4ff',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_301e, DEFAULT_COUNT, makeMovie),
};

/** @typedef {{ share: number, make: (random: RandomValues) => unknown }} Field */

const CERTIFICATES = ['G', 'PG', 'PG-13', 'R', 'UNRATED', 'NOT RATED'];
const NON_ASCII_SHARE = 0.12;
const POSTER_NAME_LENGTH = 90;

/**
 * Every field with the share of documents that have it, in the order of a document that was inserted
 * complete.
 * @type {Record<string, Field>}
 */
const FIELDS = {
  _id: { share: 1, make: (random) => random.objectId() },
  plot: { share: 0.99, make: (random) => makeText(random, 50, 180) },
  genres: { share: 0.998, make: (random) => pickSome(random, GENRES, 3) },
  runtime: { share: 0.985, make: (random) => random.integer(40, 210) },
  cast: { share: 0.99, make: (random) => makeNames(random, 4, 4) },
  poster: { share: 0.9, make: makePoster },
  title: { share: 1, make: (random) => accent(random, makeTitle(random, 1, 4), NON_ASCII_SHARE) },
  fullplot: { share: 0.98, make: (random) => makeText(random, 60, random.pick([600, 1250, 2300])) },
  languages: { share: 0.99, make: (random) => pickSome(random, LANGUAGES, 2) },
  released: { share: 0.985, make: makeDay },
  directors: { share: 0.99, make: (random) => makeNames(random, 1, 2) },
  rated: { share: 0.6, make: (random) => random.pick(CERTIFICATES) },
  awards: { share: 1, make: makeAwards },
  lastupdated: { share: 1, make: makeTimeText },
  year: { share: 1, make: (random) => random.integer(1914, 2015) },
  imdb: { share: 1, make: makeImdb },
  countries: { share: 1, make: (random) => pickSome(random, COUNTRIES, 2) },
  type: { share: 1, make: (random) => (random.chance(0.99) ? 'movie' : 'series') },
  tomatoes: { share: 0.92, make: makeTomatoes },
  metacritic: { share: 0.004, make: (random) => random.integer(10, 98) },
  num_mflix_comments: { share: 1, make: (random) => random.integer(0, 400) },
  writers: { share: 0.96, make: (random) => makeNames(random, 1, 3) },
};

/** Fields that an update may have added, which puts them after the others. */
const FILLED_IN_LATER = ['poster', 'rated', 'tomatoes'];
const LATER_SHARE = 0.04;

/**
 * A document like those of the MFlix movies: about twenty fields, some optional, in one of many
 * orders.
 * @type {(random: RandomValues) => Record<string, unknown>}
 */
export function makeMovie(random) {
  const late = random.chance(LATER_SHARE) ? random.pick(FILLED_IN_LATER) : null;
  const names = Object.keys(FIELDS).filter((name) => name !== late);
  /** @type {Record<string, unknown>} */
  const movie = {};
  for (const name of late === null ? names : [...names, late]) {
    const { share, make } = /** @type {Field} */ (FIELDS[name]);
    if (random.chance(share)) movie[name] = make(random);
  }
  return movie;
}

/**
 * @param {RandomValues} random
 * @param {number} least characters
 * @param {number} most characters
 */
function makeText(random, least, most) {
  return accent(random, makeProse(random, random.integer(least, most)), NON_ASCII_SHARE);
}

/** @param {RandomValues} random @param {number} least @param {number} most */
function makeNames(random, least, most) {
  const makeOne = () => accent(random, makeName(random), NON_ASCII_SHARE / 2);
  return repeat(random.integer(least, most), makeOne);
}

/**
 * @param {RandomValues} random
 * @param {string[]} items
 * @param {number} most at least one of them is picked
 */
function pickSome(random, items, most) {
  return random.shuffle(items).slice(0, random.integer(1, most));
}

/** @param {RandomValues} random */
function makePoster(random) {
  return `https://posters.example/images/${random.text(POSTER_NAME_LENGTH)}.jpg`;
}

/** @param {RandomValues} random */
function makeDay(random) {
  return new Date(random.integer(-20_000, 17_000) * 86_400_000);
}

/** @param {RandomValues} random */
function makeTimeText(random) {
  const day = `2015-0${random.integer(1, 9)}-${random.integer(10, 28)}`;
  return `${day} 00:${random.integer(10, 59)}:${random.integer(10, 59)}.000000000`;
}

/** @param {RandomValues} random */
function makeAwards(random) {
  const wins = random.integer(0, 12);
  const nominations = random.integer(0, 20);
  return { wins, nominations, text: `${wins} wins & ${nominations} nominations.` };
}

/** @param {RandomValues} random */
function makeImdb(random) {
  return {
    rating: makeRating(random, 10),
    votes: random.integer(5, 1_500_000),
    id: random.integer(1, 4_000_000),
  };
}

/**
 * @param {RandomValues} random
 * @param {number} highest
 * @returns {number} with one decimal: mostly a double, but an int32 where that is 0
 */
function makeRating(random, highest) {
  return random.integer(10, highest * 10) / 10;
}

/** @param {RandomValues} random */
function makeReviews(random) {
  return {
    rating: makeRating(random, 5),
    numReviews: random.integer(1, 100_000),
    meter: random.integer(0, 100),
  };
}

/** @param {RandomValues} random */
function makeTomatoes(random) {
  const hasCritics = random.chance(0.6);
  return {
    viewer: makeReviews(random),
    ...(random.chance(0.7) ? { dvd: makeDay(random) } : {}),
    ...(hasCritics ? { critic: makeReviews(random) } : {}),
    lastUpdated: makeDay(random),
    ...(hasCritics ? { rotten: random.integer(0, 150) } : {}),
    ...(random.chance(0.4) ? { production: `${makeTitle(random, 1, 2)} Pictures` } : {}),
    ...(hasCritics ? { fresh: random.integer(0, 250) } : {}),
  };
}
