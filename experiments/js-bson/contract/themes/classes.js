import { inspect } from 'node:util';
import { demand, demandSame } from '../breach.js';

/** @import { Codec, Theme } from '../breach.js' */

const HEX = '0123456789abcdef01234567';

/** Subclasses and identity of the exported classes. @type {Theme} */
export const classes = {
  title: 'Classes',
  rows: [
    {
      name: 'subclassing',
      promise:
        'subclasses of ObjectId, Long and Binary work and are written like their base classes',
      check(codec, reference) {
        checkObjectIdSubclass(codec);
        demandSame('subclasses written', codec, reference, (bson) =>
          bson.serialize(makeSubclasses(bson)),
        );
      },
    },
    {
      name: 'class-identity',
      promise: 'decoded ids are instances of the ObjectId that the codec exports',
      check(codec) {
        const id = codec.deserialize(codec.serialize({ id: new codec.ObjectId(HEX) })).id;
        demand(id instanceof codec.ObjectId, 'a decoded id is of another class');
        demand(id._bsontype === 'ObjectId', `its _bsontype is ${String(id._bsontype)}`);
        demand(!Object.hasOwn(id, '_bsontype'), 'its _bsontype is an own property');
      },
    },
  ],
};

/** @param {Codec} codec */
function checkObjectIdSubclass({ ObjectId, serialize, deserialize }) {
  class LabelledId extends ObjectId {
    /** @param {...any} values that of ObjectId, then a label */
    constructor(...values) {
      super(values[0]);
      this.label = values[1];
    }
  }
  const plain = new ObjectId(HEX);
  for (const input of [HEX, Buffer.from(HEX, 'hex'), plain, new LabelledId(HEX, 'x')]) {
    const id = new LabelledId(input, 'mine');
    demand(
      id instanceof ObjectId && id instanceof LabelledId,
      'an instance of a subclass fails instanceof',
    );
    demand(id.label === 'mine', 'a field that the subclass sets is lost');
    demand(id.toHexString() === HEX, `a subclass given ${inspect(input)} holds ${id}`);
    demand(id.equals(plain) && plain.equals(id), 'instances of class and subclass are not equal');
    demand(
      new ObjectId(id).toHexString() === HEX,
      'an ObjectId of an instance of a subclass differs',
    );
    const read = deserialize(serialize({ id })).id;
    demand(read.toHexString() === HEX, 'an instance of a subclass is written wrongly');
    demand(!(read instanceof LabelledId), 'a decoded id is of the subclass');
  }
  const generated = [new LabelledId(), new LabelledId(), new ObjectId()].map(String);
  demand(new Set(generated).size === 3, 'a subclass generates duplicate ids');
}

/** @type {(codec: Record<string, new (...values: any[]) => any>) => object} */
function makeSubclasses({ ObjectId, Long, Binary, Double, Int32, Code }) {
  class MyId extends ObjectId {}
  class MyLong extends Long {}
  class MyBinary extends Binary {}
  class MyDouble extends Double {}
  class MyInt extends Int32 {}
  class MyCode extends Code {}
  class MyMap extends Map {}
  class MyDate extends Date {}
  class Person {
    constructor() {
      this.name = 'é';
      this.id = new MyId(HEX);
    }
    get unseen() {
      return 1;
    }
  }
  return {
    id: new MyId(HEX),
    long: new MyLong(5, 6),
    binary: new MyBinary(Buffer.from('x'), 0),
    double: new MyDouble(1.5),
    int: new MyInt(5),
    code: new MyCode('f', { a: 1 }),
    map: new MyMap([['a', 1]]),
    date: new MyDate(5),
    person: new Person(),
  };
}
