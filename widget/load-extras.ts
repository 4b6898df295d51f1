// Loads the extras on demand: the QR code for another phone, the receipt, the help. Nobody else
// downloads them.
export type Extras = typeof import('./extras.ts')

export const loadExtras = (): Promise<Extras> => import('./extras.ts')
