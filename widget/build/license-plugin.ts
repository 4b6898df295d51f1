// Lists the libraries in a build with their licences, which ask to be passed on with them.
import plugin, { type Options } from 'rollup-plugin-license'
import type { Plugin } from 'vite'

/**
 * The plugin with its true type: its declarations speak of an ES module, and it is a CommonJS
 * module.
 */
export const license = plugin as unknown as (options: Options) => Plugin
