/// <reference lib="dom" />
/** Buttons that copy the command beside them. Runs in the browser. */

/** Shows the buttons and listens to them. */
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
 * Where the browser lets a page copy nothing, the text is selected instead, ready for the keyboard.
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
