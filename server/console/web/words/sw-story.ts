// What the console says of a payment in Swahili.
import type { StoryWords } from './en-story.ts'

const LATER =
  'Mpigaji akisema pesa zimetoka, iulize huduma ya malipo sasa, kisha angalia kwenye tovuti yake. Malipo ambayo ' +
  'itathibitisha baadaye yatahesabiwa hata hivyo, na kuwekwa alama ya kuchelewa.'

export const swStory: StoryWords = {
  phases: {
    creating: {
      label: 'Yanaanza',
      caller: 'Malipo yako yanaandaliwa. Subiri kidogo, na usianzishe mengine.',
      next: 'Ndani ya nusu dakika seva itajua kama huduma ya malipo imeyapokea.',
    },
    unknown: {
      label: 'Yanatafutwa',
      caller: 'Huduma ya malipo bado haijajibu. Usianzishe malipo mengine; hutatozwa mara mbili.',
      next: 'Seva inaiuliza tena huduma ya malipo yenyewe, hadi ijibu.',
    },
    open: {
      label: 'Yanamsubiri mteja',
      caller:
        'Ukurasa wako wa malipo uko wazi, na pesa bado hazijaonekana. Ufungue na ufuate hatua zake. Kama ' +
        'umeshatuma pesa, subiri na usilipe tena.',
      next:
        'Seva inaiuliza huduma ya malipo yenyewe, mwanzoni kila dakika. Pesa zikionekana, malipo yanakuwa ' +
        'yamelipwa na duka linaarifiwa.',
    },
    confirming: {
      label: 'Yanathibitishwa',
      caller: 'Huduma ya malipo imetaja matokeo, na tunayathibitisha. Tafadhali usilipe tena.',
      next: 'Seva inathibitisha matokeo kwa swali lake yenyewe. Kwa kawaida huchukua sekunde chache.',
    },
    abandoned: {
      label: 'Yameachwa',
      caller:
        'Jaribio hili limeachwa. Kama umetuma pesa kwa ajili yake, zitapatikana na kuhesabiwa. Kama hujatuma, ' +
        'anza upya.',
      next:
        'Seva inaendelea kuuliza kwa siku 30. Pesa zikifika hata hivyo, malipo yanakuwa yamelipwa, na duka ' +
        'linaarifiwa.',
    },
    review: {
      label: 'Yanahitaji uamuzi',
      caller: 'Mtu anapaswa kuyaangalia malipo yako. Usilipe tena, na uhifadhi ujumbe wa mtandao wako.',
      next: 'Mtu anayatafuta malipo kwenye tovuti ya huduma ya malipo na kuamua hapa.',
    },
    succeeded: {
      label: 'Yamelipwa',
      caller: 'Malipo yako yamefika.',
      next: 'Yamelipwa ni ya milele. Kama duka halijui, liarifu tena.',
    },
    failed: {
      label: 'Hayajalipwa',
      caller:
        'Malipo hayakufanikiwa. Kama hakuna pesa zilizotoka kwenye simu yako, jaribu tena. Kama zimetoka, hifadhi ' +
        'ujumbe wa mtandao wako: namba yake itatusaidia kuzitafuta kwenye huduma ya malipo.',
      next: LATER,
    },
    expired: {
      label: 'Muda umekwisha',
      caller:
        'Muda wa malipo haya ulikwisha kabla ya kuthibitishwa. Kama hakuna pesa zilizotoka kwenye simu yako, anza ' +
        'tena. Kama zimetoka, hifadhi ujumbe wa mtandao wako: namba yake itatusaidia kuzitafuta ' +
        'kwenye huduma ya malipo.',
      next: LATER,
    },
    rejected: {
      label: 'Hayakuanza',
      caller: 'Malipo hayakuweza kuanza. Hujatozwa chochote. Tafadhali jaribu tena.',
      next: 'Hakuna zaidi: huduma ya malipo haikuyapokea kamwe.',
    },
  },
  overdue: {
    label: 'Yanachelewa',
    caller:
      'Malipo yako yanachukua muda mrefu kuliko kawaida. Kama umetuma pesa, subiri: zitapatikana. Usilipe tena. ' +
      'Kama hujatuma, unaweza kuanza tena.',
    next: 'Huduma ya malipo bado inasema yanasubiri. Seva inaendelea kuuliza kwa siku 30.',
  },
  kinds: {
    started: 'Mteja alibonyeza “lipa”.',
    created: 'Huduma ya malipo iliyapokea, na mteja akapata ukurasa wa malipo.',
    created_late: 'Huduma ya malipo iliyapokea, lakini kwa kuchelewa: ukurasa wake haukutolewa tena.',
    create_unknown: 'Huduma ya malipo haikujibu kama iliyapokea.',
    refused: 'Huduma ya malipo iliyakataa.',
    not_processed: 'Huduma ya malipo haikufikiwa, hivyo hakuna kilichoanza.',
    callback: 'Huduma ya malipo ilituma ujumbe wenye matokeo. Haukuaminiwa bila uthibitisho.',
    callback_differs: 'Ujumbe ulikuwa na taarifa nyingine kuliko zetu. Haukubadilisha chochote.',
    callback_sum: 'Huduma ya malipo ilitia sahihi ujumbe wenye kiasi au sarafu nyingine kuliko yetu.',
    unconfirmed: 'Ujumbe ulisema “yamelipwa” dakika 15 zilizopita, na hakuna jibu la huduma lililothibitisha.',
    callback_decided: 'Ujumbe wa huduma ya malipo uliyamaliza.',
    query_success: 'Tulipoiuliza, huduma ya malipo ilithibitisha kuwa yamelipwa.',
    query_failed: 'Tulipoiuliza, huduma ya malipo ilisema kuwa hayajalipwa.',
    query_refused: 'Tulipoiuliza, huduma ya malipo haikutoa jibu la kufaa.',
    query_sum: 'Tulipoiuliza, huduma ya malipo ilitaja kiasi au sarafu nyingine kuliko yetu.',
    query_back: 'Huduma ya malipo inajibu maswali yetu tena.',
    still_pending: 'Tulipoiuliza, huduma ya malipo ilisema bado inasubiri.',
    overdue: 'Muda wa kawaida umepita, na huduma ya malipo bado inasubiri.',
    asked_for_30_days: 'Tumeuliza kwa siku 30, na hakuna kilichokuja.',
    address_lost: 'Ukurasa wa malipo haukutufikia, hivyo hakuna aliyeweza kulipa huko.',
    never_arrived: 'Huduma ya malipo haiyajui, hivyo hakuna aliyeweza kulipa.',
    replaced: 'Mteja alisema hakutuma pesa, na akaanza tena.',
    order_paid: 'Malipo mengine ya oda hiyohiyo yalilipwa.',
    contradiction: 'Huduma ya malipo ilijipinga yenyewe. Mtu aliarifiwa.',
    review: 'Yalipelekwa kwa mtu.',
    decision: 'Mtu aliamua.',
  },
  reviews: {
    transaction_mismatch: 'Huduma ya malipo inataja muamala mwingine kuliko mwanzo.',
    transaction_conflict: 'Malipo mengine yana muamala huohuo wa huduma ya malipo.',
    redirect_origin: 'Huduma ya malipo ilimpeleka mteja kwenye anwani isiyoruhusiwa (HC_CHECKOUT_ORIGINS).',
    query_reference: 'Ilipoulizwa kuhusu malipo haya, huduma ya malipo ilijibu kuhusu mengine.',
    query_amount: 'Huduma ya malipo inasema yamelipwa, kwa kiasi au sarafu nyingine kuliko yetu.',
    callback_sum: 'Huduma ya malipo ilitia sahihi kiasi au sarafu nyingine kuliko yetu.',
    query_missing: 'Huduma ya malipo haiwezi kuulizwa kwa sasa. Itaisha yenyewe itakapoweza.',
    query_not_found: 'Huduma ya malipo iliyaanzisha na sasa inasema haiyajui.',
    pending_after_30_days: 'Ujumbe ulisema yamelipwa siku 30 zilizopita, na huduma bado inasema yanasubiri.',
  },
  results: {
    1: 'Pesa hazikutosha kwenye akaunti.',
    1032: 'Malipo yameghairiwa, au simu haikupatikana. Huenda pesa zimetumwa hata hivyo.',
    1037: 'Muda wa malipo haya umekwisha, na hakuna wakala aliyeyathibitisha. Huenda pesa zimetumwa hata hivyo.',
    2001: 'Wakala hakuthibitisha malipo. Huenda pesa zimetumwa hata hivyo.',
    failed: 'Huduma ya malipo haikutoa sababu. Huenda pesa zimetumwa hata hivyo.',
    expired: 'Muda wa malipo haya umekwisha, na hakuna wakala aliyeyathibitisha. Huenda pesa zimetumwa hata hivyo.',
    order_paid: 'Oda ilikuwa imeshalipwa.',
    address_lost: 'Ukurasa wa malipo haukumfikia mteja.',
    market_off: 'Huduma ya malipo imefunga nchi hii kwa duka hili.',
    account_refused: 'Huduma ya malipo inakataa akaunti ya duka hili.',
    upstream_unavailable: 'Huduma ya malipo haikufikiwa.',
    rate_limited: 'Malipo mengi mno yalianzishwa kwa pamoja; haya hayakupata nafasi.',
    decided: 'Mtu wa duka aliamua kuwa hayajalipwa.',
  },
  otherResult: 'Huduma ya malipo inasema: {text} ({code})',
  late: 'Pesa zilifika baada ya malipo haya kutangazwa kuwa hayajalipwa. Zinahesabiwa hata hivyo.',
  duplicate: 'Oda ilikuwa imeshalipwa: pesa hizi zinapaswa kurudishwa kwa mteja.',
  disputed: 'Huduma ya malipo ilitia sahihi kiasi au sarafu nyingine kuliko yetu. Linganisha na tovuti yake.',
  notices: {
    'payment.succeeded': 'Yamelipwa',
    'payment.duplicate': 'Yamelipwa mara mbili',
    'payment.failed': 'Hayajalipwa',
    'payment.expired': 'Muda umekwisha',
    'payment.review': 'Yanahitaji uamuzi',
  },
  noticeStates: {
    waiting: 'bado halijaarifiwa: majaribio {n}, lijalo saa {time}. “{button}” hufanya hivyo mara moja.',
    delivered: 'liliarifiwa {time}, baada ya majaribio {n}',
    dead: 'halikuarifiwa, na halijaribiwi tena: majaribio {n}. “{button}” hufanya hivyo mara moja.',
  },
  done: {
    sign_in: '{who} aliingia',
    sign_in_refused: 'Kuingia kwa {who} kulikataliwa',
    sign_out: '{who} alitoka',
    refresh: '{who} aliiuliza huduma ya malipo.',
    resend: '{who} alifanya duka liarifiwe tena.',
    note: '{who} aliandika dokezo.',
    decision: '{who} aliamua.',
    paid_back: '{who} aliweka alama kuwa zimerudishwa.',
    link: '{who} alitengeneza kiungo cha malipo.',
    close_link: '{who} alifunga kiungo cha malipo.',
    export: '{who} alihifadhi malipo kama faili.',
    reconcile: '{who} alilinganisha taarifa.',
  },
  sums: '{other} badala ya {ours}',
  again: 'Imeandikwa mara {n}, ya mwisho {time}.',
  told: 'Duka liliarifiwa: {what}.',
  toTell: 'Duka litaarifiwa: {what}.',
}
