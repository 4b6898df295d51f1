// The looks of what is loaded after the form: the steps of a payment and its result.
import { css } from 'lit'

export const flowStyles = css`
  dl,
  dd {
    margin: 0;
  }
  /* On the smallest phone the longest word stays whole. */
  h2 {
    font-size: 22px;
    font-size: clamp(18px, 6vw, 22px);
    line-height: 1.25;
    margin-bottom: -8px;
    text-wrap: balance;
  }
  .links,
  dl div {
    display: flex;
    flex-wrap: wrap;
  }
  /* The reference, in one line where there is room, else in two of equal length. */
  :last-child > dd {
    font-size: 13px;
    word-break: break-all;
  }
  details .plain {
    width: 100%;
    margin-top: 12px;
  }
  a.plain {
    display: block;
    color: inherit;
    text-decoration: none;
  }
  /* A link to the eye, as large as a thumb. */
  .quiet {
    border: 0;
    padding: 11px 0;
    color: var(--_muted);
    font-size: 14px;
    line-height: 22px;
    background: none;
    text-decoration: underline;
    cursor: pointer;
  }
  .links .quiet {
    margin: 0 12px 0 0;
  }
  /* It has its place before it is of use, so that nothing moves when it comes. */
  .young {
    visibility: hidden;
  }
  /* An empty place for it takes no room. */
  [role='status'] > .warn {
    margin-top: 16px;
  }
  .head {
    display: flex;
    align-items: center;
  }
  /* The first value of a sentence stays whole: an amount, or a first name. */
  h2 :nth-child(2) {
    display: inline-block;
  }
  .head h2 {
    margin: 0;
    min-width: 0;
  }
  /* Where the name does not fit beside the mark it stands below it. */
  .top {
    row-gap: 4px;
  }
  .test {
    margin-right: 8px;
    text-wrap: balance;
  }
  /* Good news. */
  .session_paid {
    border: 0;
  }
  .shop {
    display: flex;
    align-items: center;
    min-width: 0;
    min-height: 28px;
    padding: 2px 12px 2px 8px;
    border: 1px solid var(--_line);
    border-radius: 14px;
    background: var(--_bg);
    font-size: 14px;
    font-weight: 650;
    line-height: 1.2;
  }
  .shop img {
    margin-inline: -4px 7px;
    border-radius: 6px;
    object-fit: contain;
  }
  /* Each whole: a phone number is not broken, nor a word. */
  .support a {
    display: inline-block;
    color: inherit;
    font-weight: 600;
    padding: 4px 8px 4px 0;
  }
  .mark {
    background: var(--_soft);
    flex: none;
    margin-right: 12px;
    margin-inline: 0 12px;
    width: 56px;
    height: 56px;
    padding: 14px;
    border-radius: 50%;
  }
  .bad {
    color: var(--_bad);
  }
  .done {
    color: var(--_good);
  }
  .done path {
    stroke-dasharray: 1;
    animation: d 0.4s ease-out;
  }
  @keyframes d {
    from {
      stroke-dashoffset: 1;
    }
  }
  svg {
    display: block;
    fill: none;
    stroke: currentColor;
    stroke-width: 2.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .turn svg {
    animation: t 1.1s linear infinite;
  }
  @keyframes t {
    to {
      transform: rotate(360deg);
    }
  }
  /* What a button has found out is seen on a small screen too, where its place is below the
     window. */
  .found {
    position: sticky;
    bottom: 0;
    background: var(--_bg);
  }
  .found > p {
    margin: 0;
    padding: 6px 0;
  }
  dl {
    border-top: 1px solid var(--_line);
    padding-top: 6px;
  }
  /* What does not fit beside its name stands below it: no amount is broken within its number. */
  dl div {
    align-items: baseline;
    gap: 0 16px;
    padding-top: 8px;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    flex: auto;
    min-width: 0;
    text-align: end;
    text-wrap: balance;
  }
  @media (prefers-reduced-motion: reduce) {
    .turn svg {
      animation-duration: 6s;
    }
    .done path {
      animation: none;
    }
  }
  @media print {
    .plain,
    .quiet,
    summary {
      display: none;
    }
  }
`
