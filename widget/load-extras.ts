// Loads what is only asked for now and then: the code for another phone, the receipt, the help. Nobody else pays for its bytes.
export type Extras = typeof import('./extras.ts')

export const loadExtras = (): Promise<Extras> => import('./extras.ts')
