import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hasHalfCharacter } from '../../../server/core/encode-text.ts'
import { onOutputLine } from '../../../server/app/process-output.ts'
import { runProcess } from '../../../server/app/run-job-process.ts'

const leavesOneBehind = `
const { spawn } = require('node:child_process')
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit'],
})
child.unref()
console.log(child.pid)
`

test('a process ends by its time limit though something out of its group holds its output open', async () => {
  const lines: string[] = []
  onTestFinished(() => {
    for (const pid of lines) process.kill(Number(pid), 'SIGKILL')
  })
  const { end } = runProcess({
    program: process.execPath,
    args: ['-e', leavesOneBehind],
    variables: {},
    timeoutMs: 1000,
    onLine: (line) => lines.push(line),
  })
  expect(await end).toEqual({ kind: 'timeout' })
})

describe('the output of a process', () => {
  async function linesOf(...chunks: Buffer[]) {
    const lines: string[] = []
    const output = Readable.from(chunks, { objectMode: false })
    onOutputLine(output, (line) => lines.push(line))
    await new Promise((resolve) => output.on('close', resolve))
    return lines
  }

  test('comes by lines, whatever the chunks are, the last one unended', async () => {
    const bytes = Buffer.from('one\r\n\nzwölf\nend')
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]))
    expect(await linesOf(...chunks)).toEqual(['one', '', 'zwölf', 'end'])
  })

  test('is let go in pieces while a line does not end', async () => {
    const chunks = Array.from({ length: 40 }, () => Buffer.alloc(10_000, 'a'))
    const lines = await linesOf(...chunks, Buffer.from('\nnext\n'))
    expect(Math.max(...lines.map((line) => line.length))).toBe(65_536)
    expect(lines.slice(0, -1).join('')).toBe('a'.repeat(400_000))
    expect(lines.at(-1)).toBe('next')
  })

  test('has no line that is longer, and no character in two pieces', async () => {
    const long = `a${'😀'.repeat(40_000)}`
    const lines = await linesOf(Buffer.from(`${long}\nnext\n`))
    expect(lines.map((line) => line.length)).toEqual([65_535, 14_466, 4])
    expect(lines.slice(0, -1).join('')).toBe(long)
    expect(lines.some(hasHalfCharacter)).toBe(false)
  })
})
