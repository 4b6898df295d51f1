// The types of what crosses the wire. Here they are those of the companion's contract; the build
// writes them out, so that who installs this package needs no zod (contract-types.ts).
export type {
  CountryCode,
  CreatedSession,
  CreateSession,
  CurrencyCode,
  Decision,
  DepositPhase,
  DepositStatus,
  Metadata,
  Mode,
  Notice,
  NoticeType,
  PaymentDetail,
  PaymentList,
  PaymentQuery,
  PaymentView,
  ProblemCode,
  ProblemIssue,
  SessionDetail,
  SessionState,
} from '../contract/index.ts'
