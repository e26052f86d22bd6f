import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { installStamp } from './install.mjs'
import { report, run } from './run.mjs'

const vite = 'node_modules/vite/bin/vite.js'
const thirdParty = 'server/tools/launch/third-party.mjs'

/** Sources, result file and build steps of each part. Paths are relative to the root. */
const parts = {
  server: {
    sources: ['server'],
    result: 'dist/server/cli.cjs',
    steps: [[vite, 'build', '--config', 'server/vite.config.ts']],
  },
  library: {
    sources: ['server'],
    result: 'dist/library/index.cjs',
    steps: [[vite, 'build', '--config', 'server/vite.config.ts', '--mode', 'library']],
  },
  renderer: {
    sources: ['renderer', 'server/contract'],
    result: 'dist/renderer/index.html',
    steps: [[vite, 'build', '--config', 'renderer/vite.config.ts']],
  },
  electron: {
    sources: ['electron', 'server'],
    result: 'dist/electron/main.js',
    steps: [
      [vite, 'build', '--config', 'electron/vite.config.ts', '--mode', 'main'],
      [vite, 'build', '--config', 'electron/vite.config.ts', '--mode', 'preload'],
    ],
  },
  types: {
    sources: ['server'],
    result: 'dist/types/package.json',
    steps: [
      ['node_modules/typescript/bin/tsc', '-b', 'server'],
      ['node_modules/tsx/dist/cli.mjs', 'server/tools/types/publish.ts'],
    ],
  },
  // Built last, because they are read from the builds above.
  notices: {
    sources: ['server', 'renderer'],
    result: 'dist/bom.cdx.json',
    steps: [[thirdParty, 'dist', 'dist/server', 'dist/library', 'dist/renderer']],
  },
  desktopNotices: {
    sources: ['server', 'renderer', 'electron'],
    result: 'dist/electron/bom.cdx.json',
    steps: [
      [thirdParty, 'dist/electron', 'dist/electron', 'dist/renderer', 'node_modules/electron'],
    ],
  },
}

/** @typedef {keyof typeof parts} Part */

/**
 * Returns a line per file: time and size reveal a change without reading all files on every start. Documentation is not
 * built.
 * @param {string} path
 * @returns {string[]}
 */
function fingerprint(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return [`${path} ${stat.size} ${stat.mtimeMs}`]
  return readdirSync(path)
    .filter((name) => !name.endsWith('.md'))
    .toSorted()
    .flatMap((name) => fingerprint(join(path, name)))
}

/**
 * Returns a value that changes with the sources of a part.
 * @param {string} root
 * @param {Part} part
 */
export function buildStamp(root, part) {
  const hash = createHash('sha256').update(installStamp(root))
  for (const source of ['tsconfig.json', ...parts[part].sources]) {
    hash.update(fingerprint(join(root, source)).join('\n'))
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {Part} part
 */
const stampPath = (root, part) => join(root, 'dist', '.stamps', part)

/**
 * @param {string} root
 * @param {Part} part
 */
export function isBuilt(root, part) {
  const path = stampPath(root, part)
  return (
    existsSync(join(root, parts[part].result)) &&
    existsSync(path) &&
    readFileSync(path, 'utf8') === buildStamp(root, part)
  )
}

/**
 * @param {string} root
 * @param {Part} part
 */
export async function buildPart(root, part) {
  report(`building ${part}`)
  const path = stampPath(root, part)
  // Taken before the build, so that later edits count as newer than the result.
  const stamp = buildStamp(root, part)
  rmSync(path, { force: true })
  for (const step of parts[part].steps) {
    const quiet = step[0] === vite ? ['--logLevel', 'warn'] : []
    await run(process.execPath, [...step, ...quiet], { cwd: root })
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, stamp)
}
