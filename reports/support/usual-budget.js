/** Budget by which calibrations are told apart; seconds a cell. */
const USUAL_BUDGET_SECONDS = 20;

/**
 * @template {{ budgetSeconds: number }} Entry
 * @param {Entry[]} entries by budget, ascending
 * @returns {Entry | null} that of the usual budget, else of the largest
 */
export function chooseUsualBudget(entries) {
  const usual = entries.find(({ budgetSeconds }) => budgetSeconds === USUAL_BUDGET_SECONDS);
  return usual ?? entries.at(-1) ?? null;
}
