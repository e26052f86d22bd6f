import { spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { printed, watch } from '../../helpers/printed.ts'

function runNode(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return watch(child)
}

describe('waiting for a pattern in the output of a program', () => {
  test('returns the match across chunks', async () => {
    const program = runNode(
      `process.stderr.write('on po'); setTimeout(() => process.stderr.write('rt 7420\\n'), 50)`,
    )
    expect((await printed(program, /port (\d+)\n/))[1]).toBe('7420')
  })

  test('fails with the output so far when the program exits', async () => {
    const program = runNode(`console.log('starting'); console.error('port in use')`)
    await expect(printed(program, /ready/)).rejects.toThrow(
      /^The program exited.*\/ready\/ on stderr[^]*(starting[^]*port in use|port in use[^]*starting)/,
    )
  })

  test('fails with the output so far when a running program never prints the pattern', async () => {
    const program = runNode(`console.log('reworded'); setInterval(() => {}, 1000)`)
    await printed(program, /reworded/, 'stdout')
    await expect(printed(program, /ready/, 'stderr', 10)).rejects.toThrow(
      /^No match within 10 ms.*\/ready\/ on stderr[^]*reworded/,
    )
  })
})
