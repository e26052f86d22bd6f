import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { receivesWebhooks, webhookSecret } from '../helpers/recipes/webhooks.ts'

recipe(
  {
    folder: 'webhooks-node',
    needs: [npmPackages],
    start: ['npm', 'start'],
    environment: () => ({ WEBHOOK_SECRET: webhookSecret }),
  },
  receivesWebhooks,
)
