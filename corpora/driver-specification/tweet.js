import { Long } from 'bson';
import { makeSeries } from '../support/random-values.js';
import { CITIES, STATES, makeName, makeProse } from '../support/prose.js';

/** @import { RandomValues } from '../support/random-values.js' */

const DEFAULT_COUNT = 100;

/** @param {RandomValues} random */
function makePost(random) {
  const id = random.integer(2 ** 40, 2 ** 52);
  return {
    created_at: makeTime(random),
    id: Long.fromNumber(id),
    id_text: String(id),
    text: makeProse(random, 94),
    source: `<a href="https://reader.example/${random.text(49)}">Reader</a>`,
    truncated: false,
    reply_to_post_id: null,
    reply_to_author_id: null,
    reply_to_handle: null,
    author: makeAuthor(random),
    geo: null,
    coordinates: null,
    place: null,
    contributors: null,
    repost_count: random.integer(0, 5000),
    like_count: random.integer(0, 5000),
    entities: { topics: [], links: [], mentions: [makeMention(random)] },
    liked: random.boolean(),
    reposted: random.boolean(),
    sensitive: false,
    language: 'en',
  };
}

/** @param {RandomValues} random */
function makeAuthor(random) {
  const id = random.integer(2 ** 32, 2 ** 40);
  return {
    id: Long.fromNumber(id),
    id_text: String(id),
    name: makeName(random),
    handle: random.text(15),
    location: `${random.pick(CITIES)}, ${random.pick(STATES)}`,
    description: makeProse(random, 94),
    url: null,
    protected: false,
    followers_count: random.integer(0, 1_000_000),
    friends_count: random.integer(0, 5000),
    listed_count: random.integer(0, 5000),
    joined_at: makeTime(random),
    favourites_count: random.integer(0, 100_000),
    utc_offset: random.integer(-12, 12) * 3600,
    time_zone: random.pick(CITIES),
    geo_enabled: random.boolean(),
    verified: random.boolean(),
    translator: false,
    posts_count: random.integer(0, 100_000),
    interface_language: 'en',
    profile_background_color: random.text(6),
    text_color: random.text(6),
    link_color: random.text(6),
    profile_background_image_url: `https://images.example/backgrounds/${random.text(54)}.png`,
    profile_avatar_image_url: `https://images.example/avatars/${random.text(54)}.png`,
    default_profile: random.boolean(),
    following: random.boolean(),
  };
}

/** @param {RandomValues} random */
function makeMention(random) {
  const start = random.integer(0, 60);
  const id = random.integer(1, 2 ** 31 - 1);
  return {
    screen_name: random.text(15),
    name: makeName(random),
    id,
    id_text: String(id),
    indices: [start, start + 13],
  };
}

/** @param {RandomValues} random */
function makeTime(random) {
  return new Date(random.integer(1_200_000_000, 1_500_000_000) * 1000).toUTCString();
}

/**
 * Modelled on the tweet of the drivers' benchmarks: a document as returned by an API,
 * with nested documents, nulls and booleans.
 * @type {import('../../harness/formats/types.ts').Corpus}
 */
export const corpus = {
  name: 'tweet',
  stresses: 'an API response: 59 elements, five levels, strings, nulls, booleans, counts',
  digest: 'sha256:685e021e1c1c761fc18f64856ac401b84f4ece0e2ee2611f7d2573475e9f3c10',
  defaultCount: DEFAULT_COUNT,
  documents: makeSeries(0x5eed_73e7, DEFAULT_COUNT, makePost),
};
