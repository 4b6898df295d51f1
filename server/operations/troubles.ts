// The words of each trouble that the checks (health.ts) find: for /readyz, alerts and doctor.

/** What a trouble is called, and what a person does about it. */
export interface Advice {
  /** Without a full stop: it is the first line of an alert. */
  readonly title: string
  readonly todo: string
}

/** The words of each trouble. Those with the name of an alert are also the words of that alert. */
export const TROUBLES = {
  store_failing: {
    title: 'The database does not take writes',
    todo:
      'Check HC_DATABASE_URL, disk space and the log. No payment is started and no callback acknowledged ' +
      'meanwhile.',
  },
  store_silent: {
    title: 'The database does not answer',
    todo: 'Look whether it runs and can be reached at HC_DATABASE_URL, and at the log.',
  },
  restore: {
    title: 'The database was restored, and payments of the last 30 days are being asked about',
    todo: 'Wait: it ends by itself once the service has answered for each.',
  },
  login_refused: {
    title: 'The payment service refuses the login',
    todo:
      'Check HC_CONSUMER_KEY and HC_CONSUMER_SECRET, whether the key is still active in the portal, and ' +
      'HC_AUTH_URL. Without a login no payment can be made or proven.',
  },
  login_unanswered: {
    title: 'The payment service gives no login',
    todo:
      'Check HC_AUTH_URL, the network, and HC_UPSTREAM_PROXY where it is set. With tls here, look at the ' +
      "certificate of HC_AUTH_URL and this machine's clock. New payments are refused until there is a login, at " +
      'the latest when the present token ends; those under way are asked about afterwards.',
  },
  upstream_down: {
    title: 'The payment service does not answer',
    todo:
      'New payments are refused until it does; those under way are asked about afterwards. With tls here it is ' +
      "there, but its certificate is not accepted: it has to renew it, or this machine's clock is wrong.",
  },
  upstream_paused: {
    title: 'The payment service asks for a pause, and new payments are refused until its end',
    todo:
      'Is it under maintenance? Else more calls are made than your contract allows: HC_RATE must not be higher, ' +
      'and nothing else may use up the same account. Payments under way are asked about afterwards.',
  },
  query_path_missing: {
    title: 'The payment service does not know the status query',
    todo:
      'Set HC_QUERY_PATH as your contract says, and check HC_BASE_URL. No result can be proven until then; ' +
      'payments go to review after 15 minutes.',
  },
  address_not_allowed: {
    title: 'The payment service does not accept calls from this machine',
    todo: 'Have its public IP address, or that of HC_UPSTREAM_PROXY, put on the allow-list of the portal.',
  },
  signature_refused: {
    title: 'The payment service refuses our signature',
    todo: 'Put the public half of HC_PRIVATE_KEY into its portal, or set the key whose half is there.',
  },
  account_refused: {
    title: 'The payment service gives a login, and answers new payments with 401 all the same',
    todo: 'Ask it to allow deposits for this account, and check HC_CONSUMER_KEY and HC_BASE_URL.',
  },
  create_unanswered: {
    title: 'New payments get no usable answer from the payment service, or no place in HC_RATE',
    todo:
      'Customers wait for nothing. What it may have taken up is asked about; the rest is rejected. Ask the service ' +
      'what is wrong with its deposit endpoint; or, of rate_limited and upstream_budget (our own calls have used up ' +
      'HC_RATE), for more requests a minute; HC_RATE must not be higher.',
  },
  query_unanswered: {
    title: 'The payment service answers no status query',
    todo:
      'No result can be proven; payments wait. Look at the reason here and at /readyz: is HC_QUERY_PATH as your ' +
      'contract says, and the wallet still yours?',
  },
  no_background_work: {
    title: 'This process does no background work',
    todo:
      'Call companion.start(), or companion.tick() from a scheduler. Unless another process does, notices and ' +
      'status queries wait.',
  },
  no_receiver: {
    title: 'No backend is notified of payments',
    todo: 'Set HC_NOTIFY_URL, or register notices.on(…). Notices wait.',
  },
  notice_receiver_gone: {
    title: 'Your backend answered 410, which means that it wants no more notices',
    todo: 'Let HC_NOTIFY_URL answer 2xx again. Notices are kept and tried again by their schedule.',
  },
  other_secret: {
    title: 'HC_SECRET is not the one that this database was used with',
    todo:
      'Payments of the other one lose their pages, and their callbacks are refused (results still come by status ' +
      'query). All companions on one database need the same HC_SECRET; after a rotation give the old one as ' +
      'HC_SECRET_PREVIOUS. If it was replaced because it had leaked, there is nothing to do.',
  },
  other_settings: {
    title: 'The companion that started last on this database has other settings than given here',
    todo:
      'Give all companions the same values of these variables, and restart those that have others. Else notices ' +
      'go to another address, results are believed or payer details erased by the rule of one of them only.',
  },
  other_handlers: {
    title: 'Another companion on this database has handlers of notices that this one has not',
    todo:
      'Register the same handlers with notices.on(…) in each process that calls start(). A notice that this one ' +
      'delivers reaches HC_NOTIFY_URL and none of them: look for payments that your shop has not credited.',
  },
  shared_file: {
    title: 'Another companion works on the same SQLite file',
    todo:
      'Stop one of them. Each spends the whole of HC_RATE, and customers see what the other has learnt up to 15 s ' +
      'late. Several companions need PostgreSQL.',
  },
} as const satisfies Readonly<Record<string, Advice>>

/** The stable word for a trouble. */
export type Trouble = keyof typeof TROUBLES
