import { defaultDataFolder } from '../app/config/project-folder.ts'
import type { LargeFileWay } from '../contract/words/hub-words.ts'
import type { CodeCache } from './code-cache/load-program.ts'
import { connect, type Connection, nextCommand, NoSandboxError } from './connect.ts'
import { checkCertificate } from './doctor/check-certificate.ts'
import { checkCodeCache } from './doctor/check-code-cache.ts'
import { checkEndpoint, checkHubCache, checkToken } from './doctor/check-environment.ts'
import {
  checkFolder,
  checkLocalhost,
  checkLocalhostNames,
  checkNode,
} from './doctor/check-machine.ts'
import { checkProxies } from './doctor/check-proxies.ts'
import { checkSandbox, type CommandFor, missingSandbox } from './doctor/check-sandbox.ts'
import { checkVariables, type KnownValues } from './doctor/check-variables.ts'
import { checkXet } from './doctor/check-xet.ts'
import type { Finding, FindingLevel } from './doctor/finding.ts'
import { print, printJson } from './output.ts'
import { oneLine } from '../core/terminal-text.ts'
import { createPaint, type Paint, wantsColor } from './paint.ts'
import type { ControlOptions } from './read-options.ts'

/** Checks for common problems and prints fixes. Exits with 1 if there is a problem. */
export async function doctor(options: ControlOptions, codeCache?: CodeCache): Promise<void> {
  const findings = await examine(options, codeCache)
  const isFine = findings.every(({ level }) => level !== 'fail')
  if (options.json === true) printJson({ ok: isFine, findings })
  else {
    const paint = createPaint(wantsColor({}, process.stdout.isTTY, process.env))
    for (const finding of findings.filter(isWorthALine)) print(findingLines(finding, paint))
  }
  if (!isFine) process.exitCode = 1
}

async function examine(
  options: ControlOptions,
  codeCache: CodeCache | undefined,
): Promise<Finding[]> {
  const { env } = process
  const commandFor: CommandFor = (...words) => nextCommand(words, options)
  const { findings, urls, largeFiles, known } = await lookForSandbox(options, commandFor)
  return [
    checkNode(process.versions.node),
    ...(codeCache === undefined ? [] : [checkCodeCache(codeCache)]),
    ...(await checkFolder(
      options.data ?? (env['HUB_SANDBOX_DATA'] || defaultDataFolder(process.cwd())),
    )),
    await checkLocalhost(),
    ...findings,
    ...(urls.length === 0 ? [] : await checkLocalhostNames(urls)),
    ...(urls.length === 0 ? [] : [checkEndpoint(urls, env, commandFor)]),
    ...(await checkToken(env, commandFor)),
    ...(urls.length === 0 ? [] : checkVariables(urls, env, known, commandFor)),
    checkHubCache(env, commandFor),
    checkXet(env, largeFiles),
    ...checkProxies(urls, env),
    ...(await checkCertificate(urls, env, commandFor)),
  ]
}

/** Returns findings about the sandbox and its URLs; none if no sandbox has the named folder. */
async function lookForSandbox(
  options: ControlOptions,
  commandFor: CommandFor,
): Promise<{
  findings: Finding[]
  urls: string[]
  largeFiles: LargeFileWay
  known?: KnownValues | undefined
}> {
  let connection: Connection
  try {
    connection = await connect(options)
  } catch (error) {
    if (!(error instanceof NoSandboxError)) throw error
    return { findings: [missingSandbox(error)], urls: [], largeFiles: 'xet' }
  }
  const { findings, overview, known } = await checkSandbox(connection, commandFor)
  if (overview === undefined) return { findings, urls: [connection.url], largeFiles: 'xet' }
  // The URLs for clients may differ from the one that this command uses.
  const { baseUrl, backChannelUrl, largeFiles } = overview
  const urls = [baseUrl, backChannelUrl].filter((url) => url !== undefined)
  return { findings, urls, largeFiles, known }
}

/** The code cache affects only the start time, so that a person reads of it only if there is none. */
function isWorthALine({ about, level }: Finding): boolean {
  return about !== 'code-cache' || level !== 'ok'
}

const words: Record<FindingLevel, string> = { ok: 'ok  ', note: 'note', fail: 'FAIL' }
const colours = { ok: 'green', note: 'yellow', fail: 'red' } as const

function findingLines({ level, text, fix }: Finding, paint: Paint): string {
  const line = `${paint(colours[level], words[level])}  ${oneLine(text)}`
  return fix === undefined ? line : `${line}\n      ${oneLine(fix)}`
}
