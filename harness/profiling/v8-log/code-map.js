import { FormatError } from '../../lib/errors.js';

/** Addresses are looked up by the page they lie on; most code covers one or two. */
const PAGE_BYTES = 4096;
/** No function comes near; a damaged log must not make us fill the pages of the whole address space. */
const MAX_CODE_BYTES = 2 ** 26;

/**
 * Which code lies where in memory, at the moment that the log has reached. Code that is gone is not
 * taken out: what is laid over it later is found first.
 *
 * @template Code
 */
export class CodeMap {
  /** @type {Map<number, { startAddress: number, endAddress: number, code: Code }[]>} */
  #pages = new Map();
  /** @type {Map<number, { sizeBytes: number, code: Code }>} */
  #byStart = new Map();

  /**
   * @param {number} startAddress
   * @param {number} sizeBytes
   * @param {Code} code
   * @throws {FormatError} when no code can lie there
   */
  add(startAddress, sizeBytes, code) {
    const isSize = Number.isInteger(sizeBytes) && sizeBytes >= 0 && sizeBytes <= MAX_CODE_BYTES;
    if (!isSize || !Number.isSafeInteger(startAddress) || startAddress < 0) {
      throw new FormatError(`no code has ${sizeBytes} bytes at the address ${startAddress}`, {
        remedy: 'record the log again',
      });
    }
    const endAddress = startAddress + sizeBytes;
    this.#byStart.set(startAddress, { sizeBytes, code });
    for (let page = pageOf(startAddress); page <= pageOf(endAddress); page++) {
      const entries = this.#pages.get(page) ?? [];
      entries.push({ startAddress, endAddress, code });
      this.#pages.set(page, entries);
    }
  }

  /**
   * @param {number} fromAddress
   * @param {number} toAddress
   */
  move(fromAddress, toAddress) {
    const moved = this.#byStart.get(fromAddress);
    if (moved !== undefined) this.add(toAddress, moved.sizeBytes, moved.code);
  }

  /**
   * @param {number} address within the code, or the one right behind it, where a call at its end
   *   returns to
   * @returns {Code | null}
   */
  find(address) {
    const entries = this.#pages.get(pageOf(address)) ?? [];
    const found = entries.findLast(
      ({ startAddress, endAddress }) => startAddress <= address && address <= endAddress,
    );
    return found?.code ?? null;
  }

  /**
   * @param {number} address
   * @returns {Code | null} the code that begins there
   */
  at(address) {
    return this.#byStart.get(address)?.code ?? null;
  }
}

/** @param {number} address */
function pageOf(address) {
  return Math.floor(address / PAGE_BYTES);
}
