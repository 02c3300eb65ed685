import { plain } from '../movement/match/words.ts'

/** Somebody abroad who sells digital services, as cartolas and card statements write it. */
export interface Provider {
  readonly key: string
  readonly name: string
  /** ISO 3166-1 of the company that invoices Chile, as far as its public terms say. */
  readonly country: string
  /** Its RUT of the register of foreign taxpayers; null where it is not publicly known. */
  readonly rut: string | null
  /** Whether it is publicly known to charge IVA to consumers (D.L. 825, art. 35 A). Null: nobody said. */
  readonly charges_consumers: boolean | null
  readonly written: RegExp
}

// Names and what statements make of them, in our own words. Patterns read capital letters without accents.
// biome-ignore format: one provider per line reads as the table it is
export const PROVIDERS: readonly Provider[] = [
  { key: 'google', name: 'Google', country: 'US', rut: null, charges_consumers: true, written: /\bGOOGLE\b(?![\s*]{0,9}(?:PAY|WALLET)\b)|\bGSUITE\b|\bYOUTUBE\s?PREMIUM\b/ },
  { key: 'meta', name: 'Meta Platforms', country: 'IE', rut: null, charges_consumers: true, written: /\bFACEBK\b|\bFACEBOOK\b|\bMETA\s?(?:PLATFORMS|PLATF|ADS|\*)|\bFB\.ME\b|\bINSTAGRAM\b|\bWHATSAPP\b/ },
  { key: 'aws', name: 'Amazon Web Services', country: 'US', rut: null, charges_consumers: null, written: /\bAWS\b|\bAMAZON\s?WEB\s?SERV|\bAMZN?\s?AWS\b/ },
  { key: 'microsoft', name: 'Microsoft', country: 'US', rut: null, charges_consumers: true, written: /\bMICROSOFT\b|\bMSFT\b|\bMSBILL\b|\bXBOX\b/ },
  { key: 'apple', name: 'Apple', country: 'US', rut: null, charges_consumers: true, written: /\bAPPLE\.COM\b|\bAPPLE\s?(?:SERVICES|DISTRIBUTION|DEVELOPER)|\bITUNES\b/ },
  { key: 'openai', name: 'OpenAI', country: 'US', rut: null, charges_consumers: null, written: /\bOPENAI\b|\bCHATGPT\b/ },
  { key: 'anthropic', name: 'Anthropic', country: 'US', rut: null, charges_consumers: null, written: /\bANTHROPIC\b|\bCLAUDE\.AI\b/ },
  { key: 'github', name: 'GitHub', country: 'US', rut: null, charges_consumers: null, written: /\bGITHUB\b/ },
  { key: 'gitlab', name: 'GitLab', country: 'US', rut: null, charges_consumers: null, written: /\bGITLAB\b/ },
  { key: 'atlassian', name: 'Atlassian', country: 'AU', rut: null, charges_consumers: null, written: /\bATLASSIAN\b|\bTRELLO\b/ },
  { key: 'adobe', name: 'Adobe', country: 'IE', rut: null, charges_consumers: true, written: /\bADOBE\b/ },
  { key: 'canva', name: 'Canva', country: 'AU', rut: null, charges_consumers: null, written: /\bCANVA\b/ },
  { key: 'figma', name: 'Figma', country: 'US', rut: null, charges_consumers: null, written: /\bFIGMA\b/ },
  { key: 'notion', name: 'Notion', country: 'US', rut: null, charges_consumers: null, written: /\bNOTION(?:\.SO|\s?LABS)?\b/ },
  { key: 'slack', name: 'Slack', country: 'IE', rut: null, charges_consumers: null, written: /\bSLACK\b/ },
  { key: 'zoom', name: 'Zoom', country: 'US', rut: null, charges_consumers: true, written: /\bZOOM\.(?:US|COM)\b|\bZOOM\s?(?:VIDEO|COMMUNICATIONS|\*)/ },
  { key: 'dropbox', name: 'Dropbox', country: 'IE', rut: null, charges_consumers: true, written: /\bDROPBOX\b/ },
  { key: 'linkedin', name: 'LinkedIn', country: 'IE', rut: null, charges_consumers: true, written: /\bLINKEDIN\b|\bLNKD\b/ },
  { key: 'tiktok', name: 'TikTok', country: 'GB', rut: null, charges_consumers: null, written: /\bTIKTOK\b/ },
  { key: 'x', name: 'X (Twitter)', country: 'IE', rut: null, charges_consumers: null, written: /\bTWITTER\b|\bX\s?CORP\b/ },
  { key: 'mailchimp', name: 'Mailchimp', country: 'US', rut: null, charges_consumers: null, written: /\bMAILCHIMP\b|\bINTUIT\s?MAILCHIMP\b/ },
  { key: 'hubspot', name: 'HubSpot', country: 'IE', rut: null, charges_consumers: null, written: /\bHUBSPOT\b/ },
  { key: 'salesforce', name: 'Salesforce', country: 'US', rut: null, charges_consumers: null, written: /\bSALESFORCE\b/ },
  { key: 'zendesk', name: 'Zendesk', country: 'US', rut: null, charges_consumers: null, written: /\bZENDESK\b/ },
  { key: 'shopify', name: 'Shopify', country: 'CA', rut: null, charges_consumers: null, written: /\bSHOPIFY\b/ },
  { key: 'wix', name: 'Wix', country: 'IL', rut: null, charges_consumers: null, written: /\bWIX(?:\.COM)?\b/ },
  { key: 'squarespace', name: 'Squarespace', country: 'IE', rut: null, charges_consumers: null, written: /\bSQUARESPACE\b|\bSQSP\b/ },
  { key: 'godaddy', name: 'GoDaddy', country: 'US', rut: null, charges_consumers: null, written: /\bGODADDY\b/ },
  { key: 'namecheap', name: 'Namecheap', country: 'US', rut: null, charges_consumers: null, written: /\bNAMECHEAP\b|\bNAME-CHEAP\b/ },
  { key: 'hostinger', name: 'Hostinger', country: 'LT', rut: null, charges_consumers: null, written: /\bHOSTINGER\b/ },
  { key: 'digitalocean', name: 'DigitalOcean', country: 'US', rut: null, charges_consumers: null, written: /\bDIGITAL\s?OCEAN\b/ },
  { key: 'cloudflare', name: 'Cloudflare', country: 'US', rut: null, charges_consumers: null, written: /\bCLOUDFLARE\b/ },
  { key: 'heroku', name: 'Heroku', country: 'US', rut: null, charges_consumers: null, written: /\bHEROKU\b/ },
  { key: 'vercel', name: 'Vercel', country: 'US', rut: null, charges_consumers: null, written: /\bVERCEL\b/ },
  { key: 'twilio', name: 'Twilio', country: 'US', rut: null, charges_consumers: null, written: /\bTWILIO\b|\bSENDGRID\b/ },
  { key: 'netflix', name: 'Netflix', country: 'US', rut: null, charges_consumers: true, written: /\bNETFLIX\b/ },
  { key: 'spotify', name: 'Spotify', country: 'SE', rut: null, charges_consumers: true, written: /\bSPOTIFY\b/ },
  { key: 'semrush', name: 'Semrush', country: 'US', rut: null, charges_consumers: null, written: /\bSEMRUSH\b/ },
  { key: 'fiverr', name: 'Fiverr', country: 'IL', rut: null, charges_consumers: null, written: /\bFIVERR\b/ },
  { key: 'upwork', name: 'Upwork', country: 'US', rut: null, charges_consumers: null, written: /\bUPWORK\b/ },
]

/** The provider that a text names: the line of a statement, or a name in a register. */
export function providerIn(text: string): Provider | null {
  const words = plain(text)
  return PROVIDERS.find(({ written }) => written.test(words)) ?? null
}

const byKey = new Map(PROVIDERS.map((provider) => [provider.key, provider]))

/** A provider that left the table since goes by its key. */
export function providerOf(key: string): Provider {
  return byKey.get(key) ?? { key, name: key, country: 'XX', rut: null, charges_consumers: null, written: /$^/ }
}
