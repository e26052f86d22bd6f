// A device without a keyboard: shows a code and polls (RFC 8628).
const settings = new URLSearchParams(window.location.search)
const hubUrl = settings.get('hubUrl') ?? ''
const clientId = settings.get('clientId') ?? ''
const pollEveryMs = Number(settings.get('pollEveryMs') ?? 5000)

async function post(path: string, parameters: Record<string, string>) {
  const body = new URLSearchParams({ client_id: clientId, ...parameters })
  const response = await fetch(hubUrl + path, { method: 'POST', body })
  return (await response.json()) as Record<string, string>
}

function show(selector: string, text: string): void {
  const element = document.querySelector(selector)
  if (element !== null) element.textContent = text
}

/** Shows a code, then polls until the user has answered. */
export async function signIn(): Promise<void> {
  const device = await post('/oauth/device', { scope: 'openid profile' })
  show('#user-code', device['user_code'] ?? '')
  show('#verification-uri', device['verification_uri'] ?? '')

  for (;;) {
    const answer = await post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device['device_code'] ?? '',
    })
    if (answer['access_token'] !== undefined) {
      const headers = { Authorization: `Bearer ${answer['access_token']}` }
      const me = (await (await fetch(`${hubUrl}/oauth/userinfo`, { headers })).json()) as {
        preferred_username: string
      }
      show('#result', `Hello ${me.preferred_username}`)
      break
    }
    if (answer['error'] !== 'authorization_pending') {
      show('#result', `${answer['error']}: ${answer['error_description']}`)
      break
    }
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
  }
}

await signIn()
