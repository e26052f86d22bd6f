// The sign-in of the Hub's own documentation, as an app developer writes it.
import { oauthHandleRedirectIfPresent, oauthLoginUrl, whoAmI } from '@huggingface/hub'

const settings = new URLSearchParams(sessionStorage.getItem('settings') ?? window.location.search)
const hubUrl = settings.get('hubUrl') ?? ''
const clientId = settings.get('clientId') ?? ''
const result = document.querySelector('#result')

async function signIn(): Promise<void> {
  sessionStorage.setItem('settings', settings.toString())
  window.location.href = await oauthLoginUrl({
    hubUrl,
    clientId,
    scopes: 'openid profile email',
    redirectUrl: `${window.location.origin}/callback`,
    state: JSON.stringify({ back: '/here?a=1&b="2"' }),
  })
}

async function show(): Promise<void> {
  if (result === null) return
  try {
    const signedIn = await oauthHandleRedirectIfPresent({ hubUrl })
    if (!signedIn) return
    const me = await whoAmI({ hubUrl, credentials: { accessToken: signedIn.accessToken } })
    result.textContent = `Hello ${signedIn.userInfo.name} (${me.name}, ${signedIn.userInfo.email}), state ${signedIn.state}`
  } catch (error) {
    result.textContent = `Failed: ${String(error)}`
  }
}

document.querySelector('#sign-in')?.addEventListener('click', () => void signIn())
void show()
