// The look of the documentation: VitePress's own theme without web fonts, in the widget's colours.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './site.css'

export default DefaultTheme
