import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, mergeConfig, type Plugin } from 'vite'
import serverConfig from '../../server/vite.config.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Mistake that is planted into the product, to see that the simulator finds it. */
export interface Mistake {
  /** Path from the root of the project. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/**
 * Builds the product as it is shipped, in one piece: Node takes any time to load a module, so that everything has to be
 * there before a run begins.
 * @param folder below the root of the project, which is overwritten
 * @returns the path of its entry, beside which is its source map
 */
export async function buildProduct(folder: string, mistake?: Mistake): Promise<string> {
  const outDir = join(root, folder)
  const shipped = serverConfig({ mode: 'library', command: 'build' })
  await build(
    mergeConfig(shipped, {
      configFile: false,
      logLevel: 'error',
      ...(mistake === undefined ? {} : { plugins: [plant(mistake)] }),
      build: {
        outDir,
        license: false,
        sourcemap: true,
        // Replaced, not added to.
        rolldownOptions: { input: join(root, 'test/simulate/product.ts') },
      },
    }),
  )
  return join(outDir, 'product.cjs')
}

function plant({ file, from, to }: Mistake): Plugin {
  return {
    name: 'planted-mistake',
    enforce: 'pre',
    transform(code, id) {
      if (id !== join(root, file)) return null
      if (code.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
      return code.replace(from, to)
    },
  }
}
