import * as fc from 'fast-check'
import { readFlag } from '../../../server/app/config/read-flag.ts'
import { flagList } from '../../../server/contract/flags.ts'
import { compileQuery } from '../../../server/contract/query/compile-query.ts'
import { queryLists } from '../../../server/contract/query/query-keys.ts'
import { requestSubject } from '../../../server/contract/query/subjects.ts'
import { parseDuration } from '../../../server/contract/durations.ts'
import { formatDuration } from '../../../server/core/duration.ts'
import { fitsPattern } from '../../../server/contract/fits-pattern.ts'
import { assertShallow, JsonDepthError, parseShallowJson } from '../../../server/core/json-depth.ts'
import { maskHeader, maskText } from '../../../server/core/mask.ts'
import { changePayload, parsePath } from '../../../server/core/payload-path.ts'
import { pathOf, queryPartOf } from '../../../server/core/request-target.ts'
import { commandText } from '../../../server/core/shell-words.ts'
import { nearest } from '../../../server/contract/suggestion.ts'
import { isoTime, parseTime } from '../../../server/core/time.ts'
import { CommandError } from '../../../server/cli/command-error.ts'
import { plainWords } from '../../../server/cli/exec/plain-words.ts'
import { readOverride } from '../../../server/cli/overrides.ts'
import { readLimit, readPair, readWholeNumber } from '../../../server/cli/read-options.ts'
import { splitCommand } from '../../../server/hub/jobs/command-line.ts'
import { requestItem } from '../../helpers/query-items.ts'
import { json, jsonText, text } from '../inputs.ts'
import { must, refuses, target } from '../target.ts'

const queryText = text(
  'status:',
  'last ',
  '-',
  '"',
  'user:alice',
  'from:',
  '>1s',
  'route:/oauth/*',
  ',',
)

/** Small languages: of flags, filters, durations, paths and commands. */
export const wordTargets = [
  target({
    name: 'duration',
    inputs: text('8h', '90s', '1.5', 'ms', 'm', 'd', '0', '9'.repeat(400)),
    check(input) {
      const ms = parseDuration(input)
      if (ms === undefined) return
      must(Number.isFinite(ms), `is ${ms} ms`)
      must(parseDuration(formatDuration(ms)) === ms, 'is another one once it was written')
    },
  }),
  target({
    name: 'time',
    inputs: text('2026-01-31', 'T', '12:00:00', 'Z', '+02:00', 'Sun, 06 Nov 1994', 'GMT', '-'),
    check(input) {
      const ms = parseTime(input)
      if (ms !== undefined)
        must(parseTime(isoTime(ms)) === ms, 'is another one once it was written')
    },
  }),
  target({
    name: 'payload-path',
    inputs: fc.tuple(
      text('discussion', '.', '[0]', '[', ']', 'title'),
      fc.dictionary(text('discussion', 'title'), json, { noNullPrototype: true }),
      json,
    ),
    check([path, payload, value]) {
      parsePath(path)
      const before = JSON.stringify(payload)
      const { issues } = changePayload(payload, { overrides: { [path]: value }, remove: [path] })
      must(JSON.stringify(payload) === before, 'changes what it was given')
      must(!('polluted' in Object.prototype), 'reaches the prototype of every object')
      must(
        issues.every(({ message }) => message !== ''),
        'does not say what is wrong',
      )
    },
  }),
  target({
    name: 'json',
    inputs: jsonText,
    check(input) {
      const isRefused = refuses(JsonDepthError, () => {
        if (refuses(SyntaxError, () => parseShallowJson(input))) return
        assertShallow(parseShallowJson(input))
      })
      if (!isRefused) JSON.stringify(maskText(input))
    },
  }),
  target({
    name: 'mask',
    inputs: fc.tuple(
      text('token=', '&', '"secret":"', '://u:', '@', 'eyJ', '.', 'Bearer ', '%3D', '%20', 'hf_'),
      fc.constantFrom(' ', '/', '=', '"', '&', ':', '\0', '?'),
      fc.stringMatching(/^[A-Za-z0-9]{24,40}$/),
      text('"', '&', ' ', '.', '%', '\\'),
      fc.constantFrom('text', 'encoded', 'header', 'cookie', 'json'),
    ),
    check([before, separator, body, after, place]) {
      const secret = `hf_${body}`
      // A letter before it would make it another word.
      const around = before + separator
      const behind = ` ${after}`
      const masked = {
        text: () => maskText(around + secret + behind),
        encoded: () => maskText(`/x?${new URLSearchParams({ next: around + secret })}&${after}`),
        header: () => maskHeader('authorization', `Bearer ${secret}`),
        cookie: () => maskHeader('cookie', `a=${secret}; b=${after}`),
        json: () => maskText(JSON.stringify({ before, access_token: secret, after })),
      }[place]()
      must(!masked.includes(body), `shows the token: ${masked.slice(0, 200)}`)
    },
  }),
  target({
    name: 'query',
    inputs: queryText,
    check(input) {
      for (const list of queryLists) {
        const { test, issues } = compileQuery(list, input, { now: 0 })
        test(requestSubject(requestItem()))
        for (const { start, end } of issues) {
          must(0 <= start && start < end && end <= input.length, 'has an issue beside the text')
        }
      }
    },
  }),
  target({
    name: 'pattern',
    inputs: fc.tuple(text('*', '/oauth', 'a'), text('/oauth', '/', 'a')),
    check([pattern, path]) {
      const fits = fitsPattern(pattern, path)
      if (!pattern.includes('*')) must(fits === (pattern === path), 'is no plain comparison')
      must(
        fitsPattern('*', path) &&
          fitsPattern(`${path.replaceAll('*', '')}*`, path.replaceAll('*', '')),
        'does not fit itself',
      )
    },
  }),
  target({
    name: 'request-target',
    inputs: text('/oauth/token', '?', '#', '&', '=', 'http://', '%3f'),
    check(input) {
      const [path] = input.split('?')
      must(pathOf(input) === path, 'is another path')
      // What a URL takes out of a text, or writes in another way, never comes in the head of a request.
      if (!/^\/[^/\\#]*$/.test(input) || !/^[!-~]*$/.test(input)) return
      const { searchParams } = new URL(input, 'http://localhost')
      must(String(queryPartOf(input)) === String(searchParams), 'is another query')
    },
  }),
  target({
    name: 'command-line',
    inputs: fc.oneof(fc.array(text('a', "'", '"', '\\', ' ')), text("'", '"', '\\', ' ', 'echo')),
    check(input) {
      if (typeof input === 'string') {
        refuses(TypeError, () => splitCommand(input))
        return
      }
      // What a shell is shown to type, the sandbox itself reads as the same words.
      const words = input.filter((word) => word !== '' && !word.includes("'"))
      if (words.length === 0) return
      const read = splitCommand(commandText(words, 'linux'))
      must(JSON.stringify(read) === JSON.stringify(words), `reads ${JSON.stringify(read)}`)
    },
  }),
  target({
    name: 'flags',
    inputs: fc.tuple(fc.nat(flagList.length - 1), fc.oneof(text('=', ',', 'true', '1'), json)),
    check([index, raw]) {
      const flag = flagList[index]
      if (flag === undefined) return
      const read = readFlag(flag, raw)
      if ('value' in read) JSON.stringify(readFlag(flag, read.value))
      else must(read.problem !== '', 'does not say what is wrong')
    },
  }),
  target({
    name: 'options',
    inputs: text('=', '{', '}', 'comment.hidden', 'true', '-1', '1e3'),
    check(input) {
      refuses(CommandError, () => readOverride(input))
      refuses(CommandError, () => readPair('--label', input))
      refuses(CommandError, () => readWholeNumber('--port', input))
      refuses(CommandError, () => readLimit({ limit: input }))
      plainWords(input.split(' '))
    },
  }),
  target({
    name: 'suggestion',
    inputs: fc.tuple(text('redirect', '_', '-'), fc.array(text('redirectUris'), { maxLength: 5 })),
    check([name, candidates]) {
      const found = nearest(name, candidates)
      must(found === undefined || candidates.includes(found), 'is none of the candidates')
    },
  }),
]
