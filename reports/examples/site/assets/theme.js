(() => {
'use strict';
/// <reference lib="dom" />
/** The theme of the page: the system's, or the reader's choice. Runs in the browser. */

const STORAGE_KEY = 'assay-theme';
const THEMES = ['light', 'dark'];

/** Applies the theme that was chosen last; runs before anything is drawn. */
function applyTheme() {
  showTheme(recallTheme());
}

/** Shows and enables the menu of themes. */
function startThemeSwitch() {
  const select = /** @type {HTMLSelectElement | null} */ (document.querySelector('#theme'));
  if (select === null) return;
  select.value = recallTheme();
  select.addEventListener('change', () => {
    showTheme(select.value);
    rememberTheme(select.value);
  });
  select.closest('label')?.removeAttribute('hidden');
}

/** @param {string} theme `light` or `dark`; anything else follows the system */
function showTheme(theme) {
  if (THEMES.includes(theme)) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
}

/** @returns {string} `system` where nothing was chosen or storage is not allowed */
function recallTheme() {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? 'system';
  } catch {
    return 'system';
  }
}

/**
 * Some browsers store nothing for pages opened from a file; the choice then lasts until the page is
 * closed.
 * @param {string} theme
 */
function rememberTheme(theme) {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    return;
  }
}

applyTheme();
})();
