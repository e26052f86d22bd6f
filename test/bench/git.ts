import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Child } from './children.ts'
import { userToken } from './fixtures.ts'
import { dataset } from './repos.ts'

/** Returns the URL of the bench's dataset for git. */
export function gitUrl({ url }: Child): string {
  return `${url.replace('//', `//alice:${userToken}@`)}${dataset.git}`
}

/** Runs git without the settings of the user and the system. */
export async function git(folder: string, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', ['-C', folder, ...args], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Alice',
      GIT_AUTHOR_EMAIL: 'alice@example.com',
      GIT_COMMITTER_NAME: 'Alice',
      GIT_COMMITTER_EMAIL: 'alice@example.com',
    },
  })
}
