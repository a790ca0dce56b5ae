/** @import { RandomValues } from './random-values.js' */

const SENTENCE_WORDS = { least: 4, most: 12 };

/**
 * @param {RandomValues} random
 * @param {number} length in characters
 * @returns {string} sentences in ASCII of that length, or up to two characters shorter
 */
export function makeProse(random, length) {
  let text = '';
  while (text.length < length) text += `${makeSentence(random)} `;
  return `${text.slice(0, length - 1).replace(/[ .]+$/, '')}.`;
}

/** @param {RandomValues} random */
function makeSentence(random) {
  const count = random.integer(SENTENCE_WORDS.least, SENTENCE_WORDS.most);
  let text = capitalize(random.pick(WORDS));
  for (let i = 1; i < count; i++) text += ` ${random.pick(WORDS)}`;
  return `${text}.`;
}

/**
 * @param {RandomValues} random
 * @param {number} least words
 * @param {number} most words
 * @returns {string} words with capitals: `The Quiet Orchard`
 */
export function makeTitle(random, least, most) {
  const count = random.integer(least, most);
  return Array.from({ length: count }, () => capitalize(random.pick(WORDS))).join(' ');
}

/** @type {(random: RandomValues) => string} of an invented person, 3–21 characters of ASCII */
export function makeName(random) {
  const given = random.pick(GIVEN_NAMES);
  return random.chance(0.05) ? given : `${given} ${random.pick(FAMILY_NAMES)}`;
}

/** @type {(random: RandomValues, domain: string) => string} an address at that domain */
export function makeEmail(random, domain) {
  return `${random.pick(GIVEN_NAMES)}_${random.pick(FAMILY_NAMES)}@${domain}`.toLowerCase();
}

/**
 * @param {RandomValues} random
 * @param {string} text
 * @param {number} probability
 * @returns {string} the text, with that probability followed by a word with non-ASCII letters
 */
export function accent(random, text, probability) {
  return random.chance(probability) ? `${text} ${random.pick(ACCENTED_WORDS)}` : text;
}

/** @param {string} word */
function capitalize(word) {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** @param {string} text words separated by spaces or line breaks */
function words(text) {
  return text.trim().split(/\s+/);
}

export const WORDS = words(`
  a above across after again all almost along already always amber among an ancient and another
  apple around as ash at autumn away back balcony barely basket be beach because become bell below
  beneath between beyond bird blue boat book both bread bridge bright brother build but by candle
  careful carry castle certain chair child city clear clock cloud coat cold colour come corner
  country cover crowd cup curtain daily dance dark daughter day deep desk distant dog door down dream
  dust each early earth east easy echo edge either empty engine enough even evening ever every far
  farm father field fifth find fire first fish floor flower follow for forest four friend from front
  full garden gate gentle give glass go gold good grain grass green ground half hall hand harbour hat
  have heavy here hidden high hill home honest horse house how hundred ice idle in inside island it
  iron join journey just keep kettle key kind kitchen know ladder lake lamp large last late leaf learn
  left less letter light like line listen little long look lost loud low lucky machine make map market
  may meadow measure memory middle mile milk mirror money month moon more morning mother mountain
  move much music must name narrow near neighbour never new next night no noise none north not
  nothing now number oak ocean of often old on once one only open orange orchard order other our out
  outside over own page paint paper part pass path patient pen people perhaps piano picture piece
  plain plate play pocket poem point pond poor promise proud pull quarter question quick quiet rain
  rather reach read ready red remember rest return rich ride right ring rise river road roof room
  rope rose rough round run sail salt same sand say school sea season second secret see seldom seven
  shadow shallow sharp shelf ship shoe short side silence silver simple sing sister six sky sleep slow
  small smoke snow so soft some song soon south speak spring square stair star start station stay
  steady steel step still stone stop storm story straight strange street strong summer sun sweet
  swim table tail take tall teach tell ten than that the their then there these they thin thing third
  this thousand three through ticket tide time to today together tomorrow too tower town train tree
  true turn twelve two under until up upon usual valley very village visit voice wait walk wall warm
  watch water wave way we weather west wheel when where while whisper white whole why wide wild wind
  window winter wish with within without wood wool word work world would write yard year yellow yet
  young
`);

export const GIVEN_NAMES = words(`
  Ada Alba Amir Anton Aylin Bea Boris Carla Cedric Clara Dario Delia Edgar Elif Emil Enzo Esther Fay
  Felix Flora Greta Hanna Hugo Ida Igor Ines Iris Ivo Jana Joel Jonas Judith Kaya Kian Lara Lea Leo
  Lina Lotte Luca Mara Marek Mila Mona Nadia Nils Noor Oda Olga Omar Oscar Otto Paula Petra Quinn
  Ramon Rosa Ruben Sadia Samuel Selma Silas Stella Tariq Theodora Tilda Ulrich Una Valentin Vera
  Viktor Wanda Wilhelmina Xenia Yara Yusuf Zita
`);

const FAMILY_NAMES = words(`
  Abbot Adler Alder Anselm Arden Baker Barlow Bellamy Berger Birch Brandt Carver Castell Clay Cole
  Crane Dahl Dorn Drake Ekberg Ellery Falk Farrow Fenn Fischer Flint Garrow Glover Grove Hale Hartwell
  Heath Holm Ivers Jansen Joyner Keller Kemp Kovar Lambert Lark Lind Lorimer Marsh Mason Merriman
  Moreau Nash Norden North Oakley Olsen Orsini Palmer Pike Quist Rasmussen Reed Ritter Rowan Sander
  Shaw Sorel Stark Stone Tanner Thorne Tiller Ulmer Vale Vance Voss Wagner Ward Weaver Wolff Yates Zeller
`);

const ACCENTED_WORDS = words(`
  Café Façade Naïve Début Señor Über Łódź Zoë Åsa Björk Renée Søren Müller Çelik Noël Crème Jalapeño
  Ångström Fiancé São Dvořák Żubr Peña Émile
`);

export const CITIES = words(`
  Ashford Bayview Brookside Cedarville Clearwater Dunmore Eastwick Fairhaven Glenrock Greyfield
  Hazelton Ironbridge Kingsbury Lakemont Maplewood Northgate Oakdale Pinecrest Quarry Ridgeway
  Stonebrook Summerfield Thornbury Underhill Valleyview Westhaven Windermere Yarrow
`);

export const STREET_KINDS = words(
  'Street Road Avenue Lane Boulevard Drive Way Place Court Parkway',
);

export const STATES = words('AL AZ CA CO FL GA IL IN KS MA MD MI MN MO NC NJ NY OH OR PA TX VA WA');

export const GENRES = words(
  'Adventure Animation Comedy Crime Drama Family Fantasy Mystery Western',
);

export const LANGUAGES = words('English French German Italian Japanese Polish Spanish Swedish');

export const COUNTRIES = words('France Germany Italy Japan Poland Spain Sweden UK USA');
