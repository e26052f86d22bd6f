import { fileURLToPath } from 'node:url'
import type * as Library from '../../server/index.ts'
import type * as Fixture from '../../server/playwright.ts'
import { isBuilt } from '../../server/tools/launch/build.mjs'

const root = new URL('../../', import.meta.url)

/** Sources that changed since the build count more than it. */
const isFromSources = !isBuilt(fileURLToPath(root), 'library')

const load = (name: string): Promise<unknown> =>
  import(new URL(isFromSources ? `server/${name}.ts` : `dist/library/${name}.cjs`, root).href)

// As it is built: every worker would compile some two hundred sources anew otherwise.
export const { startSandbox } = (await load('index')) as typeof Library
export const { expect, test } = (await load('playwright')) as typeof Fixture
