// Behind `npm start`, `npm test` and their like: on a fresh clone nothing is installed or built yet,
// so this file and server/tools/launch/ use nothing but Node's own modules.
import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { provideElectron } from './tools/launch/electron.mjs'
import { isGitDependency } from './tools/launch/git-dependency.mjs'
import { isInstalled } from './tools/launch/install.mjs'
import { build, prepare } from './tools/launch/prepare.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [mode = '', ...rest] = process.argv.slice(2)

const vite = 'node_modules/vite/bin/vite.js'
const electron = 'node_modules/electron/cli.js'
const desktopMain = 'dist/electron/main.js'

/**
 * Becomes the given program in this process: signals, stdio and exit code are then its own.
 * @param {string} script path below the root
 * @param {...string} args
 */
async function become(script, ...args) {
  const path = fileURLToPath(new URL(`../${script}`, import.meta.url))
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

/**
 * Runs programs beside each other; ends when one of them does.
 * @param {string[][]} commands scripts below the root, each with its arguments
 */
function runTogether(commands) {
  const children = commands.map((args) =>
    spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }),
  )
  const stop = () => children.forEach((child) => child.kill())
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, stop)
  for (const child of children) {
    child.on('exit', (code) => {
      process.exitCode ||= code ?? 1
      stop()
    })
  }
}

/** @type {Record<string, () => Promise<void> | void>} */
const modes = {
  async start() {
    await prepare(root, ['server', 'library', 'renderer'])
    await become('dist/server/cli.cjs', ...rest)
  },
  async desktop() {
    await prepare(root, ['renderer', 'electron'])
    await provideElectron(root)
    await become(electron, desktopMain, ...rest)
  },
  async test() {
    const { builtPartsFor } = await import('../test/helpers/selection.mjs')
    await prepare(root, builtPartsFor(rest))
    await become('test/run.mjs', ...rest)
  },
  async coverage() {
    await prepare(root, ['server', 'library', 'renderer', 'electron', 'types'])
    const projects = ['--project', 'unit', '--project', 'contract']
    const options = ['--config', 'test/vitest.config.ts', ...projects, '--coverage']
    await become('node_modules/vitest/vitest.mjs', 'run', ...options, ...rest)
  },
  async bench() {
    await prepare(root, ['server', 'library'])
    await become('node_modules/tsx/dist/cli.mjs', 'test/bench/run.ts', ...rest)
  },
  async soak() {
    await prepare(root, ['server', 'library', 'renderer'])
    await become('node_modules/tsx/dist/cli.mjs', 'test/soak/run.ts', ...rest)
  },
  async dev() {
    await prepare(root, [])
    // The server from its sources beside a dashboard that reloads by itself.
    runTogether([
      ['node_modules/tsx/dist/cli.mjs', 'watch', 'server/tools/launch/from-sources.ts', ...rest],
      // As large as the sandbox takes them: see server/core/header-limit.ts
      ['--max-http-header-size=2097152', vite, '--config', 'renderer/vite.config.ts'],
    ])
  },
  async 'dev:desktop'() {
    await prepare(root, ['renderer', 'electron'])
    await provideElectron(root)
    // The window shows the new dashboard when it is reloaded; main process and server need a new start.
    runTogether([
      [electron, desktopMain, ...rest],
      [vite, 'build', '--watch', '--emptyOutDir=false', '--config', 'renderer/vite.config.ts'],
    ])
  },
  async package() {
    await prepare(root, ['renderer', 'electron', 'desktopNotices'])
    await become('node_modules/electron-builder/cli.js', '--config', 'electron/builder.ts', ...rest)
  },
  async prepare() {
    // npm runs this after every installation in a checkout as well, where the other modes build what they need.
    if (!isGitDependency(root, process.env)) return
    if (!isInstalled(root)) throw new Error('the development packages to build with are missing')
    await prepare(root, ['server', 'library', 'renderer', 'types', 'notices'])
  },
  async build() {
    const parts = /** @type {const} */ (['server', 'library', 'renderer', 'electron', 'types'])
    await build(root, [...parts, 'notices', 'desktopNotices'])
  },
}

try {
  const run = modes[mode]
  if (!run) throw new Error(`expected one of: ${Object.keys(modes).join(', ')}`)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Node 20.19 or newer is needed, this is ${process.versions.node}`)
  }
  if (mode.endsWith('desktop') && (major < 22 || (major === 22 && minor < 12))) {
    throw new Error(`Electron needs Node 22.12 or newer, this is ${process.versions.node}`)
  }
  await run()
} catch (error) {
  process.stderr.write(`hub-sandbox: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
