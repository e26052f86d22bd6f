// Whether the sandbox of this container takes requests: 0 or 1, as HEALTHCHECK wants it. Where it listens is said by
// the variables that the sandbox itself reads; its flags are not known here.
import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'

const { HUB_SANDBOX_PORT, HUB_SANDBOX_HTTPS = '' } = process.env
const isHttps = /^(1|true|yes|on)$/i.test(HUB_SANDBOX_HTTPS)
const address = `${isHttps ? 'https' : 'http'}://127.0.0.1:${HUB_SANDBOX_PORT || 7420}/_sandbox/health`

/** @param {string} why */
function fail(why) {
  console.error(`${address} ${why}`)
  process.exitCode = 1
}

/** @param {import('node:http').IncomingMessage} answer */
async function judge(answer) {
  answer.setEncoding('utf8')
  let body = ''
  for await (const part of answer) body += part
  const isWell = answer.statusCode === 200 && JSON.parse(body).status === 'ok'
  if (!isWell) fail(`answered ${answer.statusCode}: ${body}`)
}

const get = isHttps ? getHttps : getHttp
// The certificate is the sandbox's own, and so is this loopback.
const request = get(address, { rejectUnauthorized: false, timeout: 4000 }, (answer) => {
  judge(answer).catch((error) => fail(`is no sandbox: ${error.message}`))
})
request.on('timeout', () => request.destroy(new Error('did not answer')))
request.on('error', (error) => fail(`does not answer: ${error.message}`))
