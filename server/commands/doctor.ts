import { lookup } from 'node:dns/promises'
import { access, constants } from 'node:fs/promises'
import { userDataFolder } from '../config/data-folder.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { ownCommand } from '../config/own-command.ts'
import { packageVersion } from '../core/package-root.ts'
import type { Health } from '../contract/control-health.ts'
import { ControlError } from '../embedded/control-error.ts'
import { commandText } from '../core/shell-words.ts'
import { CommandError } from './command-error.ts'
import { connect, type Connection, type ConnectOptions } from './connect.ts'
import { print, printJson } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { makeFolder } from '../state/make-folder.ts'

interface Finding {
  ok: boolean
  text: string
}

const fine = (text: string): Finding => ({ ok: true, text })
const wrong = (text: string): Finding => ({ ok: false, text })

/** Looks for what commonly goes wrong, and says what to do about it. */
export async function doctor(options: ControlOptions): Promise<void> {
  const connection = await connect(options)
  const findings = [
    checkNode(process.versions.node),
    await checkFolder(options.data ?? (process.env['HUB_SANDBOX_DATA'] || userDataFolder())),
    await checkLocalhost(),
    ...(await checkSandbox(connection)),
    ...checkEnvironment(await addressesOf(connection), process.env, environmentCommand(options)),
  ]
  const isFine = findings.every(({ ok }) => ok)
  if (options.json === true) printJson({ ok: isFine, findings })
  else for (const { ok, text } of findings) print(`${ok ? 'ok  ' : 'FAIL'}  ${text}`)
  if (!isFine) process.exitCode = 1
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < 20 || (major === 20 && minor < 19)
  return isOld
    ? wrong(`Node ${version} is too old: 20.19 or newer is needed`)
    : fine(`Node ${version}`)
}

async function checkFolder(folder: string): Promise<Finding> {
  try {
    makeFolder(folder)
    await access(folder, constants.W_OK)
    return fine(`The data folder ${folder} can be written`)
  } catch (error) {
    return wrong(`The data folder ${folder} cannot be written: ${(error as Error).message}`)
  }
}

async function checkLocalhost(): Promise<Finding> {
  try {
    const addresses = (await lookup('localhost', { all: true })).map(({ address }) => address)
    return addresses.every(isLoopbackHost)
      ? fine(`localhost is ${addresses.join(' and ')}`)
      : wrong(`localhost leads to ${addresses.join(', ')}: look at the hosts file`)
  } catch (error) {
    return wrong(`localhost has no address: ${(error as Error).message}`)
  }
}

async function checkSandbox({ url, call, request }: Connection): Promise<Finding[]> {
  try {
    const { status, body } = await request({ method: 'GET', path: '/_sandbox/health' })
    if (status !== 200) return [wrong(`${url}/_sandbox/health answered ${status}`)]
    const { version } = JSON.parse(body) as Health
    const { items } = await call('GET webhooks', { query: { limit: 1000 } })
    const suspended = items.filter((webhook) => webhook.status === 'suspended-after-failure')
    return [
      fine(`A sandbox answers at ${url}`),
      ...(version === undefined || version === packageVersion
        ? []
        : [wrong(`It is version ${version}, this command ${packageVersion}: start it again`)]),
      ...suspended.map(({ target }) =>
        wrong(`The webhook to ${target} is suspended after failures: enable it again`),
      ),
    ]
  } catch (error) {
    if (isRefusal(error)) return [wrong(error.message)]
    throw error
  }
}

/** What clients may be told, which need not be the address this command uses. */
async function addressesOf({ url, call }: Connection): Promise<readonly string[]> {
  try {
    const { baseUrl, backChannelUrl } = await call('GET overview')
    return backChannelUrl === undefined ? [baseUrl] : [baseUrl, backChannelUrl]
  } catch (error) {
    // Told of already.
    if (isRefusal(error)) return [url]
    throw error
  }
}

function isRefusal(error: unknown): error is CommandError | ControlError {
  return error instanceof CommandError || error instanceof ControlError
}

/** The command that prints the environment of the very sandbox that was looked at. */
function environmentCommand({ url, data, controlToken }: ConnectOptions): string {
  return commandText([
    ...ownCommand(),
    'env',
    ...(url === undefined ? [] : ['--url', url]),
    ...(data === undefined ? [] : ['--data', data]),
    ...(controlToken === undefined ? [] : ['--control-token', controlToken]),
  ])
}

/**
 * What of the environment keeps clients from using the sandbox.
 * @param urls where they reach it
 */
export function checkEnvironment(
  urls: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  command: string,
): Finding[] {
  const findings: Finding[] = []
  const endpoint = env['HF_ENDPOINT']
  if (endpoint === undefined) {
    findings.push(
      wrong(`HF_ENDPOINT is not set: clients go to the real hub. Run: eval "$(${command})"`),
    )
  } else if (!urls.includes(endpoint.replace(/\/$/, ''))) {
    findings.push(wrong(`HF_ENDPOINT is ${endpoint}, not ${urls.join(' or ')}`))
  } else {
    findings.push(fine('HF_ENDPOINT leads to the sandbox'))
  }
  if (env['HF_HUB_DISABLE_XET'] !== '1') {
    findings.push(wrong('HF_HUB_DISABLE_XET is not 1: large uploads may go around the sandbox'))
  }
  const token = env['HF_TOKEN'] ?? env['HUGGING_FACE_HUB_TOKEN']
  if (token !== undefined && !token.includes('sandbox_')) {
    findings.push(wrong('HF_TOKEN holds a token that is not of a sandbox: it will be refused'))
  }
  const proxy = env['HTTP_PROXY'] ?? env['http_proxy']
  const direct = env['NO_PROXY'] ?? env['no_proxy'] ?? ''
  if (proxy !== undefined && !/localhost|\*/.test(direct)) {
    findings.push(wrong('HTTP_PROXY is set and NO_PROXY does not name localhost'))
  }
  return findings
}
