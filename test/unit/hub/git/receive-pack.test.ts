import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { longestLine, PacketReader, packetOf } from '../../../../server/hub/git/pkt-line.ts'
import { readCommands } from '../../../../server/hub/git/receive-commands.ts'
import { advertiseReceivePack, formatReport } from '../../../../server/hub/git/receive-report.ts'

const [zero, a, b] = ['0', 'a', 'b'].map((digit) => digit.repeat(40)) as [string, string, string]

const read = (...lines: string[]) =>
  readCommands(
    new PacketReader(Readable.from([...lines.map((line) => packetOf(line)), Buffer.from('0000')])),
  )

describe('commands of a push (gitprotocol-pack)', () => {
  test('commands create, move and delete refs; the first line has the capabilities', async () => {
    const { commands, capabilities } = await read(
      `shallow ${b}\n`,
      `${zero} ${a} refs/heads/ä\0 report-status side-band-64k agent=git/2.39.5`,
      `${a} ${b} refs/heads/b\n`,
      `${b} ${zero} refs/tags/c`,
    )
    expect(commands).toEqual([
      { ref: 'refs/heads/ä', oldId: null, newId: a },
      { ref: 'refs/heads/b', oldId: a, newId: b },
      { ref: 'refs/tags/c', oldId: b, newId: null },
    ])
    expect([...capabilities]).toEqual(['report-status', 'side-band-64k', 'agent=git/2.39.5'])
  })

  test('the probe of a client has no commands', async () => {
    expect((await read()).commands).toEqual([])
  })

  test.each([
    'refs/heads/main',
    `${a} ${b}`,
    `${a} ${b} `,
    `${a.slice(1)} ${b} refs/heads/x`,
    `${a} ${b} refs/heads/x\nrefs/heads/y`,
    'push-cert',
  ])('%j is not valid', async (line) => {
    await expect(read(line)).rejects.toThrow('invalid command')
  })

  test('a push that ends before its commands do is refused', async () => {
    const reader = new PacketReader(Readable.from([packetOf(`${a} ${b} refs/heads/x`)]))
    await expect(readCommands(reader)).rejects.toThrow('ends before its commands do')
  })
})

describe('ref advertisement of a push (gitprotocol-http)', () => {
  test('the advertisement has each ref in order and the capabilities', () => {
    const text = advertiseReceivePack({ 'refs/tags/v1': b, 'refs/heads/main': a }).toString()
    expect(text).toMatch(/^001f# service=git-receive-pack\n0000/)
    expect(text).toMatch(new RegExp(`${a} refs/heads/main\\0report-status delete-refs `))
    expect(text.endsWith(`003a${b} refs/tags/v1\n0000`)).toBe(true)
    expect(text).not.toMatch(/push-options|push-cert/)
  })

  test('an empty repo has an advertisement', () => {
    expect(advertiseReceivePack({}).toString()).toContain(`${zero} capabilities^{}\0`)
  })
})

describe('report of a push (gitprotocol-pack, "Report Status")', () => {
  const outcome = {
    results: [{ ref: 'refs/heads/a' }, { ref: 'refs/heads/b', problem: 'fetch\nfirst' }],
    words: ['Look here'],
  }
  const report = '000eunpack ok\n0014ok refs/heads/a\n0020ng refs/heads/b fetch first\n0000'

  test('the report has one line per command', () => {
    expect(formatReport(outcome, new Set(['report-status'])).toString()).toBe(report)
  })

  test('the report goes beside the messages for the user', async () => {
    const answer = formatReport(outcome, new Set(['report-status', 'side-band-64k']))
    const reader = new PacketReader(Readable.from([answer]))
    expect(String(await reader.next())).toBe('\x02Look here\n')
    expect(String(await reader.next())).toBe(`\x01${report}`)
    expect(await reader.next()).toBe('flush')
    expect(await reader.next()).toBeUndefined()
  })

  test('a long report is sent in several pieces', async () => {
    const results = Array.from({ length: 3000 }, (_, index) => ({ ref: `refs/heads/${index}` }))
    const answer = formatReport({ results }, new Set(['report-status', 'side-band-64k']))
    const reader = new PacketReader(Readable.from([answer]))
    const pieces: Buffer[] = []
    for (let packet; (packet = await reader.next()) instanceof Buffer;) {
      expect(packet.length).toBeLessThanOrEqual(longestLine)
      pieces.push(packet.subarray(1))
    }
    expect(pieces.length).toBeGreaterThan(1)
    expect(Buffer.concat(pieces).toString()).toContain('ok refs/heads/2999\n0000')
  })

  test('a client without report-status gets no report', () => {
    expect(formatReport(outcome, new Set()).length).toBe(0)
  })

  test('the report has a failure to unpack', () => {
    const failed = {
      unpackProblem: 'fatal: bad\npack',
      results: [{ ref: 'r', problem: 'unpacker error' }],
    }
    expect(formatReport(failed, new Set(['report-status'])).toString()).toContain(
      'unpack fatal: bad pack\n',
    )
  })
})
