import { serialize } from 'bson';
import { describeLengths, describeSeries, nonAsciiShare } from '../support/statistics.js';
import { corpus as commentCorpus } from './comments.js';
import { corpus as embeddedMovieCorpus } from './embedded-movies.js';
import { corpus as movieCorpus } from './movies.js';
import { corpus as sessionCorpus } from './sessions.js';
import { corpus as theaterCorpus } from './theaters.js';
import { corpus as userCorpus } from './users.js';

describe('comments', () => {
  const { documents, keyOrders, sizeBytes, strings } = describeSeries(commentCorpus);

  it('have six keys in one order', () => {
    expect([...keyOrders]).toEqual(['_id,name,email,movie_id,text,date']);
  });

  it('have the sizes of the published ones: 185–343 bytes, 285 on average', () => {
    expect(Math.abs(sizeBytes.mean - 285)).toBeLessThan(10);
    expect(sizeBytes.least).toBeGreaterThanOrEqual(175);
    expect(sizeBytes.most).toBeLessThanOrEqual(345);
  });

  it('have ASCII strings of the published lengths', () => {
    const [name, email, text] = ['name', 'email', 'text'].map((key) =>
      describeLengths(documents.map((comment) => comment[key])),
    );
    expect(name?.least).toBe(3);
    expect(name?.most).toBeLessThanOrEqual(21);
    expect(email?.least).toBeGreaterThanOrEqual(23);
    expect(email?.most).toBeLessThanOrEqual(43);
    expect(text?.least).toBeLessThan(75);
    expect(text?.most).toBeGreaterThanOrEqual(197);
    expect(text?.most).toBeLessThanOrEqual(199);
    expect(nonAsciiShare(strings)).toBe(0);
  });

  it('have distinct ObjectIds', () => {
    const ids = documents.flatMap(({ _id, movie_id }) => [_id, movie_id].map(String));
    expect(new Set(ids).size).toBe(2000);
  });
});

describe('movies', () => {
  const { documents, keyCounts, keyOrders, presence, sizeBytes, strings } =
    describeSeries(movieCorpus);

  it('have the sizes of the published ones: 566–3295 bytes, median 1599', () => {
    expect(Math.abs(sizeBytes.median - 1599)).toBeLessThan(80);
    expect(sizeBytes.least).toBeGreaterThan(500);
    expect(sizeBytes.least).toBeLessThan(800);
    expect(sizeBytes.most).toBeGreaterThan(3000);
    expect(sizeBytes.most).toBeLessThan(3500);
  });

  it('have 15 to 22 keys in about 60 orders', () => {
    expect(keyCounts.least).toBeGreaterThanOrEqual(15);
    expect(keyCounts.most).toBeLessThanOrEqual(22);
    expect(keyOrders.size).toBeGreaterThan(45);
    expect(keyOrders.size).toBeLessThan(80);
  });

  it('have optional fields, from rare to usual', () => {
    const optional = Object.values(presence).filter((share) => share < 0.9995);
    expect(Math.min(...optional)).toBeLessThan(0.01);
    expect(Math.max(...optional)).toBeGreaterThan(0.97);
    expect(presence.rated).toBeGreaterThan(0.5);
    expect(presence.rated).toBeLessThan(0.7);
  });

  it('have non-ASCII letters in 2–7 % of the strings', () => {
    expect(nonAsciiShare(strings)).toBeGreaterThan(0.02);
    expect(nonAsciiShare(strings)).toBeLessThan(0.07);
  });

  it('have ratings that are mostly doubles and sometimes int32', () => {
    const whole = documents.filter(({ imdb }) => Number.isInteger(imdb.rating)).length;
    expect(whole).toBeGreaterThan(50);
    expect(whole).toBeLessThan(200);
  });
});

describe('embedded-movies', () => {
  it('are movies of 16 kB with two vectors of float32', () => {
    /** @type {any[]} */
    const documents = [...embeddedMovieCorpus.documents(100)];
    const sizes = documents.map((document) => serialize(document).length).sort((a, b) => a - b);
    expect(Math.abs(sizes[50] - 16_000)).toBeLessThan(400);
    for (const { plot_embedding, plot_embedding_large } of documents.slice(0, 20)) {
      expect(plot_embedding.length()).toBe(6146);
      expect(plot_embedding_large.length()).toBe(8194);
      expect(plot_embedding.toFloat32Array()).toHaveLength(1536);
    }
  });
});

describe('sessions', () => {
  const { documents, keyOrders, sizeBytes } = describeSeries(sessionCorpus);

  it('have three keys and the size of the published ones: 540 bytes', () => {
    expect([...keyOrders]).toEqual(['_id,user_id,jwt']);
    expect(Math.abs(sizeBytes.mean - 540)).toBeLessThan(3);
  });

  it('have a token of 475 characters in three parts', () => {
    const isToken = (/** @type {string} */ jwt) =>
      jwt.length === 475 && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(jwt);
    expect(documents.filter(({ jwt }) => !isToken(jwt))).toEqual([]);
  });
});

describe('theaters', () => {
  const { documents, keyOrders, sizeBytes } = describeSeries(theaterCorpus);

  it('have three keys and the sizes of the published ones: 206–266 bytes', () => {
    expect([...keyOrders]).toEqual(['_id,theaterId,location']);
    expect(sizeBytes.least).toBeGreaterThanOrEqual(200);
    expect(sizeBytes.least).toBeLessThan(215);
    expect(sizeBytes.most).toBeGreaterThan(245);
    expect(sizeBytes.most).toBeLessThanOrEqual(272);
  });

  it('have a point of two doubles', () => {
    const isPoint = (/** @type {number[]} */ values) =>
      values.length === 2 && !values.some(Number.isInteger);
    expect(documents.filter(({ location }) => !isPoint(location.geo.coordinates))).toEqual([]);
  });

  it('have a second line in some addresses, sometimes null', () => {
    const addresses = documents.map(({ location }) => location.address);
    const withLine = addresses.filter((address) => 'street2' in address);
    expect(withLine.length / addresses.length).toBeGreaterThan(0.05);
    expect(withLine.length / addresses.length).toBeLessThan(0.2);
    expect(withLine.some(({ street2 }) => street2 === null)).toBe(true);
    expect(withLine.some(({ street2 }) => typeof street2 === 'string')).toBe(true);
  });
});

describe('users', () => {
  const { documents, keyCounts, sizeBytes } = describeSeries(userCorpus);

  it('have four or five keys and the sizes of the published ones: 101–177 bytes', () => {
    expect(keyCounts).toEqual({ least: 4, most: 5 });
    expect(Math.abs(sizeBytes.least - 101)).toBeLessThanOrEqual(10);
    expect(Math.abs(sizeBytes.most - 177)).toBeLessThanOrEqual(10);
  });

  it('mostly have a password of 60 characters in the format of bcrypt', () => {
    const passwords = documents.flatMap(({ password }) => (password ? [password] : []));
    expect(passwords.length).toBeGreaterThan(900);
    const isHash = (/** @type {string} */ text) => /^\$2b\$12\$[A-Za-z0-9]{53}$/.test(text);
    expect(passwords.filter((text) => !isHash(text))).toEqual([]);
  });
});
