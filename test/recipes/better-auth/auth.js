import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'

const { OPENID_PROVIDER_URL, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, PORT = 3000 } = process.env

// BETTER_AUTH_SECRET is read by the library itself. Without a database users live in their cookies.
export const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'huggingface',
          // The provider that the library has for it knows one address only.
          discoveryUrl: `${OPENID_PROVIDER_URL ?? 'https://huggingface.co'}/.well-known/openid-configuration`,
          clientId: OAUTH_CLIENT_ID,
          clientSecret: OAUTH_CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email'],
          pkce: true,
        },
      ],
    }),
  ],
})
