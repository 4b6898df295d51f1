// Styles of a receipt, on the screen and on paper.
import { css } from 'lit'

export const paperStyles = css`
  .paper {
    color: #17211d;
    background: #fff;
    font:
      15px/1.45 system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Noto Sans',
      sans-serif;
    padding: 16px;
    display: grid;
    grid-gap: 6px;
    overflow-wrap: anywhere;
  }
  .paper p {
    margin: 0;
  }
  .paper .sum {
    font-size: 30px;
    font-size: clamp(16px, 7.3vw, 30px);
    font-weight: 700;
    line-height: 1.2;
    font-variant-numeric: tabular-nums;
  }
  .paper .payee {
    display: flex;
    align-items: center;
    padding-bottom: 10px;
    border-bottom: 1px solid #dbe2df;
  }
  .paper .payee img {
    margin-inline-end: 12px;
    border-radius: 8px;
    object-fit: contain;
  }
  .paper .payee span,
  .paper .reference p:first-child {
    display: block;
    color: #5a6862;
    font-size: 13px;
  }
  .paper strong {
    font-size: 18px;
  }
  .paper .reference {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
  }
  .paper .code {
    text-wrap: balance;
    font-weight: 600;
    font-size: 15px;
    font-variant-numeric: tabular-nums;
  }
  .paper .code span {
    display: inline-block;
    margin-inline-end: 6px;
  }
  .paper .qr {
    width: 104px;
    margin: 0;
  }
  .paper button {
    margin: 6px 0;
    text-wrap: balance;
  }
  .paper .outcome {
    font-weight: 600;
    color: #0b6e4f;
  }
  .paper dl {
    margin: 10px 0;
    padding: 4px 0 12px;
    border: dashed #b7c3bd;
    border-width: 1px 0;
    font-size: 14px;
  }
  /* What does not fit beside its name stands below it. */
  .paper dl div {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    padding-top: 8px;
  }
  .paper dt {
    padding-right: 12px;
    color: #5a6862;
  }
  .paper dd {
    flex: auto;
    min-width: 0;
    margin: 0;
    text-align: end;
    text-wrap: balance;
    font-variant-numeric: tabular-nums;
  }
  .paper .note {
    color: #5a6862;
    font-size: 13px;
  }
  .paper .mark {
    justify-self: start;
    padding: 4px 10px;
    background: #ffd84d;
    color: #332a00;
    font-size: 13px;
    font-weight: 700;
  }
  @media print {
    .paper {
      max-width: 90mm;
      margin: 8mm auto;
      padding: 6mm;
      border: 1px solid #b7c3bd;
      border-radius: 4mm;
    }
  }
`
