// Plays scenarios: schedules each step as work, and performs it when it is due.
import type { SandboxDatabase } from './database.ts'
import { scenarioNamed, type Scenario, type ScenarioStep } from './scenarios.ts'
import type { Transaction } from './transaction.ts'
import type { Transactions } from './transactions.ts'
import type { Work } from './work.ts'

export interface Player {
  /** Schedules the steps, relative to now. */
  play(transaction: Transaction, scenario: Scenario): void
  /** Performs all steps at once. */
  playNow(transaction: Transaction, scenario: Scenario): void
  /** Switches a transaction that has not ended to another scenario, timed from now. */
  switchTo(transaction: Transaction, scenario: Scenario): Transaction
}

interface Parts {
  readonly db: SandboxDatabase
  readonly now: () => number
  readonly work: Work
  readonly transactions: Transactions
}

export function createPlayer({ db, now, work, transactions }: Parts): Player {
  const doStep = (id: string, step: ScenarioStep): void => {
    const transaction = transactions.get(id)
    const { does, at: _at, ...manner } = step
    // A person at the hosted page or in the console may have been faster: steps that no longer
    // apply are skipped.
    const over = transaction.step === 'ended'
    if (does === 'forge' || does === 'recut') {
      if (does === 'forge' || transaction.status === 'FAILED') transactions.forge(transaction, does)
    } else if (does === 'lock') {
      if (transaction.step === 'open') transactions.lock(transaction)
    } else if (does === 'pay') {
      if (transaction.step === 'locked') transactions.pay(transaction)
    } else if (does === 'process') {
      if (!over) transactions.process(transaction)
    } else if (!over || (does === 'confirm' && transaction.status === 'FAILED')) {
      transactions.end(transaction, does, manner)
    }
  }

  work.handle('step', (row) => {
    const { scenario, index } = JSON.parse(row.detail) as { scenario: string; index: number }
    const step = scenarioNamed(scenario)?.steps[index]
    if (step) doStep(row.subject, step)
  })

  const play = (transaction: Transaction, scenario: Scenario): void => {
    for (const [index, step] of scenario.steps.entries()) {
      work.add('step', now() + step.at * 1000, transaction.transaction_id, { scenario: scenario.name, index })
    }
  }

  return {
    play,
    playNow(transaction, scenario) {
      for (const step of scenario.steps) doStep(transaction.transaction_id, step)
    },
    switchTo: db.transaction((transaction: Transaction, scenario: Scenario) => {
      work.drop('step', transaction.transaction_id)
      const following = transactions.follow(transaction, scenario.name)
      play(following, scenario)
      return following
    }),
  }
}
