import type { Environment } from '../../config/flag-sources.ts'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { own } from '../../core/own.ts'
import type { CommandFor } from './check-sandbox.ts'
import { type Finding, findingsAbout } from './finding.ts'

/**
 * Whether the clients of this shell go to the sandbox.
 * @param urls where they reach it
 */
export function checkEndpoint(
  urls: readonly string[],
  env: Environment,
  commandFor: CommandFor,
): Finding {
  const { fine, wrong } = findingsAbout('endpoint')
  const endpoint = env['HF_ENDPOINT']
  const fix = `eval "$(${commandFor('env')})"`
  if (endpoint === undefined || endpoint === '') {
    return wrong('HF_ENDPOINT is not set: clients of this shell go to the real hub.', fix)
  }
  return urls.includes(endpoint.replace(/\/+$/, ''))
    ? fine('HF_ENDPOINT leads to the sandbox.')
    : wrong(`HF_ENDPOINT is ${endpoint}, not ${urls.join(' or ')}.`, fix)
}

/** Whether clients would send the sandbox a token of the real hub, which it refuses. */
export async function checkToken(env: Environment, commandFor: CommandFor): Promise<Finding[]> {
  const { note, wrong } = findingsAbout('token')
  const fix = `export HF_TOKEN="$(${commandFor('token')})", or run the program by "exec"`
  for (const name of ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN']) {
    const token = own(env, name)
    if (token === undefined || token === '') continue
    if (isOfSandbox(token)) return []
    return [wrong(`${name} holds a token that is not of a sandbox: it will be refused.`, fix)]
  }
  const path = storedTokenPath(env)
  const stored = await readFile(path, 'utf8').catch(() => '')
  if (stored.trim() === '' || isOfSandbox(stored)) return []
  return [
    note(`The login in ${path} is of the real hub: clients send its token to the sandbox.`, fix),
  ]
}

/** Checks that the files of the sandbox stay out of the cache of the real Hub. */
export function checkHubCache(env: Environment, commandFor: CommandFor): Finding {
  const { fine, note } = findingsAbout('cache')
  const folder = env['HF_HUB_CACHE'] || env['HUGGINGFACE_HUB_CACHE'] || join(hubHome(env), 'hub')
  if (folder.split(/[\\/]/).some((name) => name.startsWith('hub-sandbox'))) {
    return fine(`The Hub's clients cache the files of the sandbox in ${folder}.`)
  }
  return note(
    `The Hub's clients cache files in ${folder}, those of the sandbox with those of the real Hub: with HF_HUB_OFFLINE=1 they are served later.`,
    `eval "$(${commandFor('env')})", or run the program by "exec"`,
  )
}

function isOfSandbox(token: string): boolean {
  return /(?:^|_)sandbox/.test(token)
}

/** Where the hub's own clients keep what `login` was given. */
function storedTokenPath(env: Environment): string {
  return env['HF_TOKEN_PATH'] || join(hubHome(env), 'token')
}

/** Folder of the Hub's own clients. */
function hubHome(env: Environment): string {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  return env['HF_HOME'] || join(cache, 'huggingface')
}
