// Loads on demand what few need: the sheets over the card, the list of banks with its search, and
// what is shown when something goes wrong.
export type Extras = typeof import('../views/extras.ts')
export type BankParts = typeof import('./bank-picking.ts')
export type RareParts = typeof import('../views/rare-parts.ts')

export const loadExtras = (): Promise<Extras> => import('../views/extras.ts')
export const loadBankPicking = (): Promise<BankParts> => import('./bank-picking.ts')
export const loadRareParts = (): Promise<RareParts> => import('../views/rare-parts.ts')
