import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestSandbox } from '../helpers/sandbox.ts'

const count = 2000
const requestOf = (index: number) => `GET /pipelined-${index} HTTP/1.1\r\nHost: localhost\r\n\r\n`

test('requests that come in one piece have a turn of the event loop each, and responses in their order', async () => {
  const { url } = await startTestSandbox()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let turns = 0
  let isCounting = true
  const turn = () => {
    turns += 1
    if (isCounting) setImmediate(turn)
  }
  turn()
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => (text += more))
  socket.write(Array.from({ length: count }, (_, index) => requestOf(index)).join(''))
  await expect.poll(() => text.split('HTTP/1.1 404').length - 1, { timeout: 30_000 }).toBe(count)
  isCounting = false
  expect(turns).toBeGreaterThan(count)
  const named = [...text.matchAll(/\/pipelined-(\d+)/g)].map(([, index]) => Number(index))
  expect(named).toEqual(named.toSorted((one, other) => one - other))
})
