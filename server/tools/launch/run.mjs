import { spawn } from 'node:child_process'

/** @param {string} line */
export const report = (line) => process.stderr.write(`hub-sandbox: ${line}\n`)

/**
 * Runs a child with all output on stderr, because stdout belongs to the program that starts afterwards.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, shell?: boolean }} options
 * @returns {Promise<void>} rejects if the child cannot start or exits with a code other than 0
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 2, 2] })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${signal ?? code}`))
    })
  })
}
