import { BSONRegExp, Binary, Decimal128, Long, Timestamp } from 'bson';
import { RandomValues, repeat } from '../support/random-values.js';

/** @import { Corpus } from '../../harness/formats/types.ts' */

/**
 * @typedef {object} GranularType
 * @property {string} name of the corpus of single values; the array corpora append their length
 * @property {string} values description, in the plural
 * @property {string} [key] of the single value
 * @property {number} seed
 * @property {(random: RandomValues) => unknown} make
 * @property {string[]} digests pinned, `sha256:…`, in the order of `SHAPES`
 */

/**
 * The shapes of js-bson's granular benchmarks: a document with one value, or with one array of the
 * given length. Longer arrays come in fewer documents, which keeps a pass below about 2 ms.
 * @type {{ length: number | null, defaultCount: number }[]}
 */
const SHAPES = [
  { length: null, defaultCount: 100 },
  { length: 1, defaultCount: 100 },
  { length: 10, defaultCount: 100 },
  { length: 100, defaultCount: 20 },
  { length: 1000, defaultCount: 2 },
];

/** One character, as in the published documents. */
const KEY = 'v';

/** @type {GranularType[]} */
const TYPES = [
  {
    name: 'binary',
    values: 'Binary of 40 bytes',
    seed: 0x5eed_6000,
    make: (random) => new Binary(random.bytes(40)),
    digests: [
      'sha256:5826b2624e436bee9f04134f981e6717fef82decbe4ccd54ebde5e67010c8fa3',
      'sha256:4563363b0465744a14e4a3ac4017a3c851026d417769486b2d1b89ed295204b3',
      'sha256:2003225aa190638fc85227f64d13596e9075b454040de7a03c51f05e3cf3f09c',
      'sha256:9147534b5af01be01b2bb42778f0a4e56ecdcb4ff02864f16dffd8dd9813d50b',
      'sha256:e16ab594c4f511a2b4e8f79a918ec0a8350323764653c34eda77973441c26db0',
    ],
  },
  {
    name: 'boolean',
    values: 'booleans',
    seed: 0x5eed_6001,
    make: (random) => random.boolean(),
    digests: [
      'sha256:832f7824b6f12a68cd29ea0d7df131c748b9fd3536c67a873613a2fb560a9262',
      'sha256:5130e6ebddd9b7cfefe922ba525d67f4d66a12829cf3398b5f7e994476796dfc',
      'sha256:2ba9344e88b804f0ac19423712300f95f4956c53a4e91b5840e081ee5b1db065',
      'sha256:035a5c61c4e0575b7ef6abea0eb350d2444517189771d57fd362ddb231ea19aa',
      'sha256:f8da2717de9d72e5996bd76840b49a68379b97de1aea9a3e600b09995cd97434',
    ],
  },
  {
    name: 'date',
    values: 'dates',
    seed: 0x5eed_6002,
    make: (random) => random.date(),
    digests: [
      'sha256:9efc02bb09ed89d258a4f95d33f07f7540057a2d828a7545b9f3ead2fd289f70',
      'sha256:da7c55c5708c46158d1cc1f2015c8a82d76353de25c5c6efffa14bd128d0cfcf',
      'sha256:d6f9c0b9163ab2a7f268750e2079f49581ecbb0a343e2fa29177c628f4900776',
      'sha256:1ae20b384dd857ef5f17f5ba002993e70f6a523df7bf88d67bdd025d066ff3c8',
      'sha256:c2ba1cff770de2ec33593c0336ccea0aa8c5a5d59576172385b1433bf8796be0',
    ],
  },
  {
    name: 'decimal128',
    values: 'decimal numbers with cents',
    seed: 0x5eed_6003,
    make: makeDecimal,
    digests: [
      'sha256:850336a1db7354a337f6ddfc978b09ca8ac04c43d0e959059718b64328ac1d35',
      'sha256:afe650a4d5ecf8eb0c590903a702c2f5f16fd3852d4846e656becc26b95b0a61',
      'sha256:1795a297c4a780db1371edf53547d125c35f8945afb4a3b22993c049df582b71',
      'sha256:911edc12e51eb631876b1ed8c5b1829ecedd776f858d6dddd3b4531060f09bdb',
      'sha256:d4195db7c854f596e26edfcb915edd70151a790d5c0b605f4247bd84f0839194',
    ],
  },
  {
    name: 'double',
    values: 'doubles that are not integers',
    seed: 0x5eed_6004,
    make: (random) => random.fraction(),
    digests: [
      'sha256:a1e8b7e4f7c35919c4f59df0a404198efe9df2bec74689ab0214f35c36b9c807',
      'sha256:c7b67fb3920c9e9e1cddba3d320b08ae8b36d4a7e27d3eac04e4649f2eedffe6',
      'sha256:4da4d9d67d3735f1fc58ccbc95d708aa0445cc5bd27263c9a4d796389c70310b',
      'sha256:a9cfa4cfd936f3d1b3cca158563ba4b20d1c72828fc47cb9b3bdd5ceffa674d4',
      'sha256:2d91a2c9473a102648bd1032a168a3cec8933fe1e8d0ff4557a64c2d36f44cc0',
    ],
  },
  {
    name: 'int32',
    values: 'int32',
    seed: 0x5eed_6005,
    make: makeInt32,
    digests: [
      'sha256:6de1693405e63cff0db01638071e6e6c889042052239c23ba20b790db2e46a8a',
      'sha256:411943829b84380d6409954964be85db2c99fcba639642810364dd0cbfc4a52d',
      'sha256:7d30735debedd3e35576a06892466ee5e37d894fde0996937c56a3a66f39fecb',
      'sha256:c3055ce0b0f3aa86de4e5c668a8228a0f8bff0bd2c1360a7723736193a9f8793',
      'sha256:027c4b02a1e2dc9bfe55baef6aae4d658a76edd0eed1542c25d400d55142a2a7',
    ],
  },
  {
    name: 'int64',
    values: '64-bit integers, most beyond 2⁵³ (parsed: doubles)',
    seed: 0x5eed_6006,
    make: makeLong,
    digests: [
      'sha256:8f4dc24fa5160e97894291bb393ec4106ba51965873e233ba2138be7ee96e20b',
      'sha256:88a5508d2eea821d679e819f074afab6369da4614bd9f89193c8570f7eb789f0',
      'sha256:315770422520e6baf1012a7e391753e107b368d7b780fd3619ca9416629637fb',
      'sha256:a93a4932987d0413d69d95b809f52dcf6d3e0317a96b50ff8696a74f8369b034',
      'sha256:eab3e8d35d4900fbed6fbff35bd909212bc2b347f0adc349e1adad1f2a645272',
    ],
  },
  {
    name: 'object-id',
    values: 'distinct ObjectIds',
    key: '_id',
    seed: 0x5eed_6007,
    make: (random) => random.objectId(),
    digests: [
      'sha256:a5435c0e65807e0628598e5f5b1db90a2714e0990e453b0362f2b89ee942a262',
      'sha256:32c3e6b584db3bbbc7e7cfccf3dc6f297533f452bd07f73baf5a766d623a6f96',
      'sha256:3b58ee37a4b61d43eb86d662b424e97c34812d67637462ccdc1ce6f2383f35f2',
      'sha256:8e78829761921a99072902ae891d41438c56d62efa3714771578bdf4155e4fe1',
      'sha256:7927c0b3c83899132aad703b9f70ae9c1234495619e40224db4ee8c67d7d2276',
    ],
  },
  {
    name: 'regexp',
    values: 'regular expressions',
    seed: 0x5eed_6008,
    make: (random) => new BSONRegExp(`^${random.letters(12)}[0-9]+$`, 'i'),
    digests: [
      'sha256:fe055b2b7c6af6fce9b0c6e6e188418a920bf4e0e425c1108118849ead78c162',
      'sha256:774d6f056b96cae441bb0b2fdc8982b3f3ff09c91299d09d844b661da3a55648',
      'sha256:e493c587725383047e2330b30e5e4de152bce660b6691eea83bd77119e08f126',
      'sha256:a2694e8f4415bf580fefaddc62140fff5748d5414061b2d4010259cfd4490325',
      'sha256:bdbbe5d3c9c3fea211f53395e9aad39b5baf524fa63026d3ae5a3f0166b2844e',
    ],
  },
  {
    name: 'string',
    values: 'ASCII strings of 40 characters',
    seed: 0x5eed_6009,
    make: (random) => random.text(40),
    digests: [
      'sha256:ee0abded8295df4ee3c13c5553071aae86c69563ab9085fabbd83a4bb9fa60e5',
      'sha256:ca25bc27cd0cf2e187f6965550df338e3663a1860519fb6293d7163f34f8dad5',
      'sha256:d032a1e789ad26611c477ed0d618ab0b2c28ed4c6c016af0976d4a5a05404752',
      'sha256:881f57a707a3225694ee4a958f7594d0c97edf7b2d2d01440b124b6c260d2431',
      'sha256:5c04731dc67db17105900610ecca073ce853d46190084d5f159c127ff09c0f77',
    ],
  },
  {
    name: 'timestamp',
    values: 'timestamps',
    seed: 0x5eed_600a,
    make: makeTimestamp,
    digests: [
      'sha256:7e2471c44dddc0ce26390334645e7ec0d83d37c1e1b7b120d852174aa77a2fd5',
      'sha256:ef37a3cc61ba58bf70db2191822535c4a37ae0639c8f80e1c65b7a0b5deca6c9',
      'sha256:3cf68a5c251a3494a9cbedefef56425160634bd198682a1b330e319961f45563',
      'sha256:b1dde5090f4d1135e1fd288eca7a92d42eb2c3f74396a6af7f02fde69e8406f3',
      'sha256:227025332c3e46c41819a3ec446aed71f23994118fa0e435f2a79b052dea2136',
    ],
  },
];

/** One corpus for each type and shape: `int32`, `int32-array-1`, … */
export const corpora = TYPES.flatMap(makeCorpora);

/** @type {(type: GranularType) => Corpus[]} */
function makeCorpora({ name, values, key = KEY, seed, make, digests }) {
  return SHAPES.map(({ length, defaultCount }, index) => {
    return {
      name: length === null ? name : `${name}-array-${length}`,
      stresses:
        length === null ? `one value in a document: ${values}` : `arrays of ${length}: ${values}`,
      digest: String(digests[index]),
      defaultCount,
      *documents(count = defaultCount) {
        const random = new RandomValues(seed);
        for (let made = 0; made < count; made++) {
          yield length === null
            ? { [key]: make(random) }
            : { [KEY]: repeat(length, () => make(random)) };
        }
      },
    };
  });
}

/** @param {RandomValues} random */
function makeInt32(random) {
  return random.integer(-(2 ** 31), 2 ** 31 - 1);
}

/** @param {RandomValues} random */
function makeLong(random) {
  return new Long(makeInt32(random), makeInt32(random));
}

/** @param {RandomValues} random */
function makeDecimal(random) {
  const fraction = String(random.integer(0, 99)).padStart(2, '0');
  return Decimal128.fromString(`${makeInt32(random)}.${fraction}`);
}

/** @param {RandomValues} random */
function makeTimestamp(random) {
  const max = 2 ** 32 - 1;
  return new Timestamp({ t: random.integer(0, max), i: random.integer(0, max) });
}
