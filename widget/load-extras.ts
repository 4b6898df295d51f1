// Loads on demand what few need: the sheets over the card, and the list of banks with its search.
export type Extras = typeof import('./extras.ts')
export type BankParts = typeof import('./bank-picking.ts')

export const loadExtras = (): Promise<Extras> => import('./extras.ts')
export const loadBankPicking = (): Promise<BankParts> => import('./bank-picking.ts')
