/** One setting: where it is given, and what it means. */
export interface Setting {
  /** commander's spelling; without one the setting is an environment variable only. */
  flag?: string
  env: string
  default: string | undefined
  meaning: string
  /** Not shown, and also read from the file that `<env>_FILE` names. */
  secret?: true
}

/** Every setting, once: flag beats environment beats default. */
export const settings = {
  listen: {
    flag: '--listen <host:port>',
    env: 'WATCHPOST_LISTEN',
    default: '127.0.0.1:8080',
    meaning: 'where the API and the status pages are served; port 0 takes a free one',
  },
  otlpListen: {
    flag: '--otlp-listen <host:port|off>',
    env: 'WATCHPOST_OTLP_LISTEN',
    default: '127.0.0.1:4318',
    meaning: 'where OpenTelemetry exporters are answered, or off',
  },
  dataDir: {
    flag: '--data-dir <dir>',
    env: 'WATCHPOST_DATA_DIR',
    default: './data',
    meaning: 'where the database and the keys of this instance are kept',
  },
  databaseUrl: {
    flag: '--database-url <postgres://…>',
    env: 'WATCHPOST_DATABASE_URL',
    default: undefined,
    meaning: 'keep everything in PostgreSQL instead of SQLite',
    secret: true,
  },
  publicUrl: {
    flag: '--public-url <url>',
    env: 'WATCHPOST_PUBLIC_URL',
    default: undefined,
    meaning: 'address that people and probes use, where it is not the one listened on',
  },
  logLevel: {
    flag: '--log-level <level>',
    env: 'WATCHPOST_LOG_LEVEL',
    default: 'info',
    meaning: 'trace, debug, info, warn, error or silent',
  },
  logFormat: {
    flag: '--log-format <json|pretty>',
    env: 'WATCHPOST_LOG_FORMAT',
    default: undefined,
    meaning: 'json, or pretty for people (the default on a terminal)',
  },
  instanceKey: {
    env: 'WATCHPOST_INSTANCE_KEY',
    default: undefined,
    meaning: 'encrypts what settings must show again; made in the data directory on SQLite, required with PostgreSQL',
    secret: true,
  },
  metricsToken: {
    env: 'WATCHPOST_METRICS_TOKEN',
    default: undefined,
    meaning: 'token that opens /metrics; without one it is open to this host alone',
    secret: true,
  },
  channelPrivate: {
    env: 'WATCHPOST_CHANNEL_PRIVATE',
    default: 'deny',
    meaning: 'allow or deny: may alert channels go to private and loopback addresses',
  },
  smtpUrl: {
    env: 'WATCHPOST_SMTP_URL',
    default: undefined,
    meaning: 'mail server for e-mail channels, smtp[s]://user:password@host:port',
    secret: true,
  },
  mailFrom: {
    env: 'WATCHPOST_MAIL_FROM',
    default: undefined,
    meaning: 'sender of e-mail, such as Watchpost <alerts@example.com>',
  },
  telegramUrl: {
    env: 'WATCHPOST_TELEGRAM_URL',
    default: 'https://api.telegram.org',
    meaning: 'address of the Bot API, where it is one of your own',
  },
  rateLimitTokenHour: {
    env: 'WATCHPOST_RATE_LIMIT_TOKEN_HOUR',
    default: '1000',
    meaning: 'requests in an hour with one API token, 0 for any number',
  },
  rateLimitTokenMinute: {
    env: 'WATCHPOST_RATE_LIMIT_TOKEN_MINUTE',
    default: '60',
    meaning: 'requests in a minute with one API token from one address, 0 for any number',
  },
  rateLimitAnonymousHour: {
    env: 'WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR',
    default: '100',
    meaning: 'requests in an hour without a valid credential from one address, 0 for any number',
  },
  rateLimitProbeMinute: {
    env: 'WATCHPOST_RATE_LIMIT_PROBE_MINUTE',
    default: '6000',
    meaning: 'requests in a minute of one probe, 0 for any number',
  },
  rateLimitSessionMinute: {
    env: 'WATCHPOST_RATE_LIMIT_SESSION_MINUTE',
    default: '600',
    meaning: 'requests in a minute of one log-in, 0 for any number',
  },
  rateLimitLogin15Min: {
    env: 'WATCHPOST_RATE_LIMIT_LOGIN_15MIN',
    default: '5',
    meaning: 'log-ins in 15 minutes from one address, and failed ones of one account, 0 for any number',
  },
  rateLimitRegistrationHour: {
    env: 'WATCHPOST_RATE_LIMIT_REGISTRATION_HOUR',
    default: '3',
    meaning: 'registrations in an hour from one address, 0 for any number',
  },
  rateLimitRumKeyMinute: {
    env: 'WATCHPOST_RATE_LIMIT_RUM_KEY_MINUTE',
    default: '60000',
    meaning: 'requests in a minute with one RUM key, 0 for any number',
  },
  rateLimitRumAddressMinute: {
    env: 'WATCHPOST_RATE_LIMIT_RUM_ADDRESS_MINUTE',
    default: '600',
    meaning: 'requests in a minute with RUM keys from one address, 0 for any number',
  },
  rateLimitSubscriptionHour: {
    env: 'WATCHPOST_RATE_LIMIT_SUBSCRIPTION_HOUR',
    default: '10',
    meaning: 'subscriptions to status pages asked for in an hour from one address, 0 for any number',
  },
  registration: {
    env: 'WATCHPOST_REGISTRATION',
    default: 'closed',
    meaning: 'open or closed: may strangers make an account and a team of their own',
  },
  defaultPlan: {
    env: 'WATCHPOST_DEFAULT_PLAN',
    default: 'enterprise',
    meaning: 'plan of new teams: free, pro, business or enterprise, which is unlimited',
  },
  trustedProxies: {
    env: 'WATCHPOST_TRUSTED_PROXIES',
    default: '',
    meaning: 'addresses and CIDRs, separated by commas, whose X-Forwarded-For and X-Forwarded-Proto are believed',
  },
  otlpBodyMb: {
    env: 'WATCHPOST_OTLP_BODY_MB',
    default: '20',
    meaning: 'largest body of OpenTelemetry data in MiB, as sent and decompressed',
  },
  telemetryDays: {
    env: 'WATCHPOST_TELEMETRY_DAYS',
    default: '30',
    meaning: 'days that spans, logs and events of browsers are kept',
  },
  telemetryFreeMb: {
    env: 'WATCHPOST_TELEMETRY_FREE_MB',
    default: '1024',
    meaning: 'free space in MiB that telemetry leaves on the disk of the data directory, 0 for none',
  },
  telemetryNewSeriesHour: {
    env: 'WATCHPOST_TELEMETRY_NEW_SERIES_HOUR',
    default: '20000',
    meaning: 'series of metrics that an app may begin within an hour, 0 for any number; points of others are rejected',
  },
  apiHost: {
    env: 'WATCHPOST_API_HOST',
    default: undefined,
    meaning: 'host name of the User and Probe API; on others its paths are 401',
  },
  otlpHost: {
    env: 'WATCHPOST_OTLP_HOST',
    default: undefined,
    meaning: 'host name under which the main address takes OpenTelemetry',
  },
  rumHost: {
    env: 'WATCHPOST_RUM_HOST',
    default: undefined,
    meaning: 'host name that browsers send their telemetry to',
  },
  siteHost: {
    env: 'WATCHPOST_SITE_HOST',
    default: undefined,
    meaning: 'host name of the site that people open',
  },
} satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
export type Given = Partial<Record<SettingName, string>>
