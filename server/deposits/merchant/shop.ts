// Who is paid: the shop of the settings, and what a session says otherwise.
import type { SessionShop, Shop } from '../../contract/index.ts'
import type { Settings } from '../../settings/settings.ts'
import { sha256 } from '../identity.ts'
import type { Session } from '../machine/deposit.ts'

/** Path of the logo that the companion serves itself. */
const LOGO_PATH = '/v1/shop/logo'

export type ShopSettings = Pick<
  Settings,
  'publicUrl' | 'shopName' | 'shopLogo' | 'shopAccent' | 'shopPhone' | 'shopEmail' | 'shopHelpUrl'
>

/** What a browser is told of the shop; undefined where nobody has said anything. */
export function createShopOf(settings: ShopSettings): (session?: Pick<Session, 'shop'>) => Shop | undefined {
  const own: SessionShop = withoutNone({
    name: settings.shopName,
    logo: logoAddress(settings),
    accent: settings.shopAccent,
    phone: settings.shopPhone,
    email: settings.shopEmail,
    helpUrl: settings.shopHelpUrl,
  })
  return (session) => {
    const shop = { ...own, ...session?.shop }
    if (Object.keys(shop).length === 0) return undefined
    return shop.accent === undefined ? shop : { ...shop, onAccent: readableOn(shop.accent) }
  }
}

/** Another address for another picture, so that browsers may keep each for good. */
function logoAddress({ publicUrl, shopLogo }: ShopSettings): string | undefined {
  if (shopLogo === undefined || 'url' in shopLogo) return shopLogo?.url
  return `${publicUrl}${LOGO_PATH}?v=${logoVersion(shopLogo.bytes)}`
}

export const logoVersion = (bytes: Uint8Array): string => sha256(bytes).slice(0, 16)

/** Relative luminance by WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/**
 * White while its contrast is 4.5:1, as on the card's own accent; else black, which then has more.
 */
export const readableOn = (color: string): string => (1.05 / (luminance(color) + 0.05) >= 4.5 ? '#ffffff' : '#000000')

function withoutNone(shop: { [Name in keyof SessionShop]: SessionShop[Name] | undefined }): SessionShop {
  return Object.fromEntries(Object.entries(shop).filter(([, value]) => value !== undefined))
}
