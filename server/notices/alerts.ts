// stand-in while the real one is being written
export interface Alerts { raise(kind: string, detail: string): void }
export function createAlerts(_options: object): Alerts { return { raise() {} } }
