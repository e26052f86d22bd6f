import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { missingBuild } from './missing-build.ts'
import { bareEnvironment } from './programs.ts'

const root = new URL('../../', import.meta.url)
/** Refuses, and writes down, what leads beyond this machine. */
export const guard = new URL('refuse-network.mjs', import.meta.url).href
export const builtIntercept = new URL('dist/server/intercept.cjs', root)

/** Why the tests cannot run, if so. */
export const interceptMissing = missingBuild('server/intercept.cjs')

export interface ProgramOptions {
  /** URL of the sandbox. */
  url: string
  origins?: string
  commonJs?: boolean
  /** Node's own arguments, instead of those that load what intercepts. */
  nodeArguments?: readonly string[]
  env?: Record<string, string>
}

export interface Ended {
  code: number
  /** Output, parsed if it is JSON. */
  told: unknown
  stderr: string
  /** Hosts that were asked for beyond this machine. */
  refused: readonly string[]
}

/**
 * Runs a program under the guard and what intercepts. It has a `tell(value)`, which is what comes back, and `why(call)`,
 * the message of what a call fails with and of all its causes.
 */
export async function runIntercepted(code: string, options: ProgramOptions): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-intercept-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { commonJs = false, url, origins = 'https://hub.invalid' } = options
  const program = join(folder, commonJs ? 'program.cjs' : 'program.mjs')
  const log = join(folder, 'refused')
  const repository = JSON.stringify(fileURLToPath(new URL('package.json', root)))
  const required = commonJs
    ? `const fromHere = require('node:module').createRequire(${repository})`
    : `import { createRequire } from 'node:module'\nconst fromHere = createRequire(${repository})`
  writeFileSync(program, `${required}\n${prelude}\n${code}`)
  const loaded = commonJs
    ? ['--require', fileURLToPath(builtIntercept)]
    : ['--import', builtIntercept.href]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', guard, ...(options.nodeArguments ?? loaded), program],
      {
        cwd: folder,
        timeout: 60_000,
        env: bareEnvironment({
          REFUSED_NETWORK_LOG: log,
          HUB_SANDBOX_URL: url,
          HUB_SANDBOX_INTERCEPT: origins,
          ...options.env,
        }),
      },
      (error, stdout, stderr) => {
        const refused = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
        const code = error === null ? 0 : Number(error.code ?? -1)
        resolve({ code, told: parse(stdout), stderr, refused })
      },
    )
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const prelude = `
const hub = 'https://hub.invalid'
const metadata = '/.well-known/openid-configuration'
const tell = (value) => process.stdout.write(JSON.stringify(value))
const causes = (error) => error === undefined ? [] : [error.message, ...causes(error.cause)]
const why = (call) => call.then(() => 'it worked', (error) => causes(error).join(' / '))
const read = (request) => new Promise((resolve, reject) => {
  request.on('error', reject)
  request.on('response', (response) => {
    let body = ''
    response.on('error', reject)
    response.setEncoding('utf8').on('data', (text) => (body += text))
    response.on('end', () => resolve({ status: response.statusCode, body }))
  })
})
const issuerOf = ({ body }) => JSON.parse(body).issuer
`
