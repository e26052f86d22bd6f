import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import type * as App from '../../electron/app.ts'
import type * as Library from '../../server/index.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface DesktopApp {
  runDesktop: typeof App.runDesktop
  startSandbox: typeof Library.startSandbox
}

let loading: Promise<DesktopApp> | undefined

/** The app, and the sandbox that it starts: of one build, since it knows the sandbox's errors by their class. */
export const loadDesktopApp = () => (loading ??= load())

async function load(): Promise<DesktopApp> {
  const sources = { app: join(root, 'electron/app.ts'), index: join(root, 'server/index.ts') }
  // A second is faster than Playwright's own compiler, which takes ten for each worker.
  const { app, index } = await bundle(sources)
  const [{ runDesktop }, { startSandbox }] = (await Promise.all(
    [app, index].map((path) => import(pathToFileURL(path).href)),
  )) as [typeof App, typeof Library]
  return { runDesktop, startSandbox }
}

async function bundle<Name extends string>(input: Record<Name, string>) {
  // Within the package, whose files it reads.
  const outDir = join(root, 'node_modules/.cache/hub-sandbox-tests', `desktop-${process.pid}`)
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'error',
    build: { ssr: true, target: 'node20', outDir, rolldownOptions: { input } },
  })
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  return Object.fromEntries(
    Object.keys(input).map((name) => [name, join(outDir, `${name}.js`)]),
  ) as Record<Name, string>
}
