/// <reference lib="dom" />
/** Buttons that copy a command. Runs in the browser. */

/** Shows and enables the buttons. */
export function startCopyButtons() {
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
    document.querySelectorAll('button.copy')
  );
  for (const button of buttons) {
    const code = button.parentElement?.querySelector('code');
    if (code === null || code === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', () => copyText(button, code));
  }
}

/**
 * Copies the text, or selects it where the browser forbids copying.
 *
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} code
 */
async function copyText(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    window.getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected';
  }
}
