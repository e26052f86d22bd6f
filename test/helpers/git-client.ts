import { join } from 'node:path'
import { hasProgram, run } from './programs.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Tests with git are skipped where it is missing. */
export const hasGit = hasProgram('git')

/** Settings of a user, and nothing else. */
const identity = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Zoë',
  GIT_AUTHOR_EMAIL: 'zoe@elsewhere.example',
  GIT_AUTHOR_DATE: '1700000000 +0530',
  GIT_COMMITTER_NAME: 'Zoë',
  GIT_COMMITTER_EMAIL: 'zoe@elsewhere.example',
  GIT_COMMITTER_DATE: '1700000001 -0800',
}

/** Runs git and gives what it printed. @throws {Error} with `stderr` */
export type GitClient = (...args: string[]) => Promise<string>

/** git in a folder. @param variables what else is set up */
export function gitIn(folder: string, variables: Record<string, string> = {}): GitClient {
  return async (...args) => {
    const text = await run('git', ['-C', folder, ...args], { ...identity, ...variables })
    return text.trimEnd()
  }
}

/** A clone in a folder that is gone after the test. */
export async function cloneRepo(
  from: string,
  ...options: string[]
): Promise<{ git: GitClient; folder: string }> {
  const folder = join(temporaryDirectory(), 'clone')
  await run('git', ['clone', '-q', ...options, from, folder], identity)
  return { git: gitIn(folder), folder }
}

/** Returns the error that git prints, or `undefined` on success. */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    return String((error as { stderr?: string }).stderr ?? error)
  }
}

/** The address of a repo for one of the users of the default fixtures. */
export function addressFor(user: string, url: string, path: string): string {
  return `${url.replace('//', `//anyone:hf_sandbox_${user}@`)}${path}`
}
