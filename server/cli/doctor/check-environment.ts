import type { Environment } from '../../app/config/flag-sources.ts'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { own } from '../../core/own.ts'
import { readUserText } from '../../core/user-file.ts'
import type { CommandFor } from './check-sandbox.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { urlProblem } from './url-problem.ts'

/** Largest file of a stored login that is read, in bytes. */
const longestStoredToken = 64 * 1024

/**
 * Checks that clients in this shell use the sandbox.
 * @param urls at which clients reach it
 */
export function checkEndpoint(
  urls: readonly string[],
  env: Environment,
  commandFor: CommandFor,
): Finding {
  const { fine, note, wrong } = findingsAbout('endpoint')
  const endpoint = env['HF_ENDPOINT']
  const fix = `eval "$(${commandFor('env')})"`
  if (endpoint === undefined || endpoint === '') {
    return wrong('HF_ENDPOINT is not set: clients in this shell use the real Hub.', fix)
  }
  const problem = urlProblem(endpoint, urls)
  if (problem === undefined) return fine('HF_ENDPOINT points to the sandbox.')
  // huggingface_hub removes the slash; other clients request paths that begin with two.
  const isSlash = urls.includes(endpoint.replace(/\/+$/, ''))
  return (isSlash ? note : wrong)(`HF_ENDPOINT ${problem}`, fix)
}

/** Checks for tokens of the real hub, which the sandbox refuses. */
export async function checkToken(env: Environment, commandFor: CommandFor): Promise<Finding[]> {
  const { note, wrong } = findingsAbout('token')
  const fix = `export HF_TOKEN="$(${commandFor('token')})", or run the program with "exec"`
  for (const name of ['HF_TOKEN', 'HUGGING_FACE_HUB_TOKEN']) {
    const token = own(env, name)
    if (token === undefined || token === '') continue
    if (isOfSandbox(token)) return []
    return [wrong(`${name} is not a sandbox token: the sandbox will refuse it.`, fix)]
  }
  const path = storedTokenPath(env)
  const stored = await readUserText(path, longestStoredToken).catch(() => '')
  if (stored.trim() === '' || isOfSandbox(stored)) return []
  return [
    note(
      `The login in ${path} belongs to the real Hub: clients send its token to the sandbox.`,
      fix,
    ),
  ]
}

/** Checks that the files of the sandbox stay out of the cache of the real Hub. */
export function checkHubCache(env: Environment, commandFor: CommandFor): Finding {
  const { fine, note } = findingsAbout('cache')
  const folder = env['HF_HUB_CACHE'] || env['HUGGINGFACE_HUB_CACHE'] || join(hubHome(env), 'hub')
  if (folder.split(/[\\/]/).some((name) => name.startsWith('hub-sandbox'))) {
    return fine(`Hub clients cache files of the sandbox in ${folder}.`)
  }
  return note(
    `Hub clients cache files of the sandbox and of the real Hub in the same folder, ${folder}: with HF_HUB_OFFLINE=1 they may serve either.`,
    `eval "$(${commandFor('env')})", or run the program with "exec"`,
  )
}

function isOfSandbox(token: string): boolean {
  return /(?:^|_)sandbox/.test(token)
}

/** Path of the token that `login` of the hub's own clients stores. */
function storedTokenPath(env: Environment): string {
  return env['HF_TOKEN_PATH'] || join(hubHome(env), 'token')
}

/** Folder of the Hub's own clients. */
function hubHome(env: Environment): string {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  return env['HF_HOME'] || join(cache, 'huggingface')
}
