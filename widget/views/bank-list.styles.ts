// The looks of the list of banks, loaded with it.
import { css } from 'lit'

export const bankStyles = css`
  .banks {
    position: relative;
  }
  ul {
    margin: 4px 0 0;
    padding: 4px;
    position: absolute;
    z-index: 5;
    width: 100%;
    max-height: 264px;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_r);
    background: var(--_field);
    box-shadow: 0 8px 28px #0003;
  }
  li {
    display: flex;
    align-items: center;
    min-height: 44px;
    padding: 6px 10px;
    border-radius: 8px;
    cursor: pointer;
  }
  /* A long word of a name breaks where the row ends. */
  li span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  /* What Enter takes. Its ground alone could not be told from that of the list. */
  li[aria-selected='true'] {
    background: var(--_soft);
    outline: 1px solid var(--_line);
  }
  li i {
    background: var(--_soft);
    border-radius: 8px;
    min-width: 30px;
    flex: none;
    margin-right: 12px;
    margin-inline: 0 12px;
    font:
      700 12px/30px system-ui,
      sans-serif;
    text-align: center;
  }
`
