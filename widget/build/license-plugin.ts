// Lists the libraries in a build with their licences, which ask to be passed on with them.
import { resolve } from 'node:path'
import plugin, { type Options } from 'rollup-plugin-license'
import type { Plugin } from 'vite'

/** The plugin's true type: its declarations speak of an ES module, and it is a CommonJS module. */
const listLicenses = plugin as unknown as (options: Options) => Plugin

/**
 * @param folder of the package that is built, which is none of its own libraries. The plugin would
 *   take the folder in which the build is started.
 */
export const license = (folder: string, options: Options): Plugin => listLicenses({ cwd: resolve(folder), ...options })
