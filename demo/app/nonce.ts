/**
 * For browsers that know no style sheets made by script: Lit puts this nonce on the `<style>`
 * elements that it makes there. The page's policy would refuse them without it.
 */
export function tellNonce(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')
  // Safari before 15.4 has the property on scripts alone.
  if (meta) Object.assign(window, { litNonce: meta.nonce || meta.getAttribute('nonce') })
}
