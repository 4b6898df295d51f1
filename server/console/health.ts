// The health of the companion for the owner of a shop: what the one list of checks found, what it
// means for the till, and who to call.
import type { Health } from '../contract/index.ts'
import type { Settings } from '../settings/settings.ts'

/** As operations/readiness.ts finds it. */
export interface FoundTrouble {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly trouble?: string
  readonly says: string
  readonly todo: string
}

type Call = NonNullable<Health['checks'][number]['call']>

interface Meaning {
  readonly call: Call
  readonly fail: string
  readonly warn: string
}

const LATER = 'Payments that were made are safe, and are looked at again by themselves.'

/** By the name of the check (operations/health.ts). */
export const MEANINGS: Readonly<Record<string, Meaning>> = {
  store: {
    call: 'technician',
    fail: 'Customers cannot pay now: the companion cannot write to its database.',
    warn: 'The database has a trouble.',
  },
  restore: {
    call: 'nobody',
    fail: 'A backup was put back, and the payments since then are being asked about. Wait until that has ended.',
    warn: 'A backup was put back, and the payments since then are being asked about.',
  },
  login: {
    call: 'technician',
    fail: `Customers cannot pay now: the payment service does not let this companion in. ${LATER}`,
    warn: 'Customers can pay for a while yet: the payment service did not renew the login.',
  },
  upstream: {
    call: 'service',
    fail: `Customers cannot pay now: the payment service does not answer. ${LATER}`,
    warn: `Some customers cannot pay now: the payment service asks to wait, or did not answer just now. ${LATER}`,
  },
  query: {
    call: 'technician',
    fail: 'Payments cannot be proven: the companion cannot ask for their results. Deliver nothing on a screenshot.',
    warn: 'Payments are proven more slowly.',
  },
  address: {
    call: 'service',
    fail: 'Customers cannot pay now: the payment service does not accept calls from this machine.',
    warn: 'The payment service may not accept calls from this machine.',
  },
  signature: {
    call: 'technician',
    fail: 'Customers cannot pay now: the payment service does not accept the key of this companion.',
    warn: 'The key of this companion has a trouble.',
  },
  account: {
    call: 'service',
    fail: 'Customers cannot pay now: the payment service does not accept payments for this account.',
    warn: 'The account has a trouble.',
  },
  creates: {
    call: 'service',
    fail: 'Some customers cannot pay now: the payment service gives their payments no answer.',
    warn: 'Some customers cannot pay now: the payment service gives their payments no answer.',
  },
  queries: {
    call: 'service',
    fail: `Some payments wait: the payment service does not say how they ended. ${LATER}`,
    warn: `Some payments wait: the payment service does not say how they ended. ${LATER}`,
  },
  notices: {
    call: 'technician',
    fail: 'Customers can pay, but the shop is not told of it by itself. Look payments up here.',
    warn: 'Customers can pay, but the shop is not told of it by itself. Look payments up here.',
  },
  companions: {
    call: 'technician',
    fail: 'Two companions work side by side that must not.',
    warn: 'Payments are safe, but two companions work side by side in a way that they should not.',
  },
}

export function createHealthWords(parts: {
  readonly settings: Pick<Settings, 'consoleContact'>
  readonly findings: () => Promise<readonly FoundTrouble[]>
}): () => Promise<Health> {
  return async function inWords() {
    const found = await parts.findings()
    return {
      ok: found.every(({ state }) => state === 'ok'),
      takesPayments: found.every(({ state }) => state !== 'fail'),
      contact: parts.settings.consoleContact,
      checks: found.map(({ name, state, trouble, says, todo }) => {
        const meaning = MEANINGS[name]
        return state === 'ok' || meaning === undefined
          ? { name, state, says, todo }
          : { name, state, trouble, says, todo, meaning: meaning[state], call: meaning.call }
      }),
    }
  }
}
