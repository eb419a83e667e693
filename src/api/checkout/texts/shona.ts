import type { Texts } from './english.ts';
import { counter } from './plural.ts';

const days = counter('sn', { one: 'zuva', other: 'mazuva' });
const hours = counter('sn', { one: 'awa', other: 'maawa' });
const minutes = counter('sn', { one: 'miniti', other: 'maminitsi' });

/** A draft that no speaker has read yet. The checkout does not offer it: see languages.ts. */
export const SHONA: Texts = {
  secure: 'Kubhadhara kwakachengeteka kwe-escrow',
  testMode: { name: 'Kuedza', text: 'Uku hakusi kubhadhara kwechokwadi. Hapana mari inofamba.' },
  title: {
    open: (amount, company) => `Bhadhara ${amount} – ${company}`,
    card: (amount, company) => `Bhadhara ${amount} nekadhi – ${company}`,
    processing: (amount) => `Takamirira kubhadhara kwenyu kwe${amount}`,
    paid: (amount) => `Zvabhadharwa: ${amount}`,
  },
  summary: {
    youPay: 'Muri kubhadhara',
    youPaid: 'Mabhadhara',
    amount: 'Mari',
    seller: 'Mutengesi',
    through: 'Kuburikidza ne',
    buyer: 'Zvakagadzirirwa',
    order: 'Odha',
    validUntil: 'Inoshanda kusvika',
    items: 'Zvamuri kutenga',
    quantity: (quantity, price) => `${quantity} × ${price}`,
    fees: 'Mitero yebasa',
    adjustment: 'Kugadziriswa kwemutengo',
    total: 'Zvekubhadhara',
    paid: 'Zvabhadharwa',
  },
  timeLeft: {
    days: (dayCount, hourCount) => `kwasara ${days(dayCount)} ne${hours(hourCount)}`,
    hours: (hourCount, minuteCount) => `kwasara ${hours(hourCount)} ne${minutes(minuteCount)}`,
    minutes: (minuteCount) => `kwasara ${minutes(minuteCount)}`,
    moments: 'kwasara nguva isingasviki miniti',
  },
  escrow: {
    heading: 'Mari yenyu yakachengetwa, haisati yapiwa mutengesi',
    lead: (company) => `${company} inochengeta mari yenyu. Mutengesi anoiona asi haasati achigona kuishandisa.`,
    steps: [
      { title: 'Mabhadhara', text: () => 'Mari inokiyiwa neodha iyi chete.' },
      { title: 'Mogamuchira odha yenyu', text: () => 'Tarisai kuti ndizvo here zvamakabvumirana.' },
      { title: 'Mutengesi obhadharwa', text: (company) => `Mari inoramba yakakiyiwa kusvika ${company} yaiburitsa.` },
    ],
    problem: (company) =>
      `Pane dambudziko here? Udzai ${company} mari isati yaburitswa. Inogona kuramba yakakiyiwa kusvika dambudziko ragadziriswa, uye isina kubhadharwa inodzoka kwamuri.`,
    autoRelease: (hourCount) =>
      `Mari inoburitswa yoga ${hours(hourCount)} mushure mekunge zvanzi zvasvika, kana musina kutaura dambudziko.`,
  },
  methods: {
    heading: 'Munoda kubhadhara sei?',
    card: {
      name: 'Kadhi kana EFT',
      hint: 'Visa, Mastercard, kubva kubhanga',
      text: 'Ruzivo rwekadhi renyu runoenda kuvanobata zvekubhadhara. Isu nemutengesi haturuoni.',
      button: 'Enderera kufomu rekadhi',
    },
    mobile: {
      name: 'Mari yefoni',
      hint: 'Tenderai pafoni yenyu',
      label: 'Nhamba yemari yefoni',
      help: 'Senhamba yemuno, kana kuti ne+ uye nhamba yenyika.',
      button: (amount) => `Kumbira ${amount} kufoni yangu`,
    },
    balance: {
      name: 'Mari yamuinayo',
      hint: (company) => `Mari yamuinayo kare ku${company}`,
      text: (company) => `Tinotumira kodhi neWhatsApp kunhamba yenyu iri ku${company}.`,
      send: 'Nditumirei kodhi',
      sendAgain: 'Tumirai imwe kodhi',
      label: 'Kodhi ine nhamba nhanhatu',
      help: 'Takaitumira neWhatsApp. Inoshanda kwemaminitsi mashanu.',
      button: (amount) => `Bhadhara ${amount} nemari yangu`,
    },
  },
  reject: {
    summary: 'Handidi kubhadhara',
    text: 'Odha inokanzurwa uye link iyi inomira kushanda. Hazvidzoseki.',
    button: 'Ramba uye kanzura odha',
  },
  backTo: (company) => `Dzokera ku${company}`,
  leave: (company) => `Dzokera ku${company} usina kubhadhara`,
  help: 'Rubatsiro:',
  terms: 'Mitemo',
  card: {
    heading: 'Kubhadhara nekadhi kana EFT',
    loading:
      'Fomu rakachengeteka riri kuuya. Rinoda JavaScript. Pasina JavaScript munogona kubhadhara nemari yefoni kana nemari yamuinayo.',
    trouble: 'Kana fomu risingauyi, vanobata zvekubhadhara vangave vakabatikana. Hapana chabviswa.',
    back: 'Sarudza imwe nzira yekubhadhara',
  },
  processing: {
    heading: {
      card: 'Kubhadhara kwenyu kuri kusimbiswa',
      mobile_money: 'Tarisai foni yenyu',
      checking: 'Tiri kutarisa kubhadhara kwenyu',
    },
    card: 'Bhanga renyu harisati rasimbisa. Zvinogona kutora maminitsi mashoma, kana nguva yakareba.',
    mobile: (amount, lastDigits) =>
      `Takumbira ${amount} kufoni inoperera na${lastDigits}. Tenderai ipapo. Peji ino inobva yagadziriswa yoga.`,
    lapse: (minuteCount) =>
      `Kana zvisina kutenderwa mukati me${minutes(minuteCount)}, chikumbiro chinopera uye munogona kusarudza imwe nzira.`,
    checking:
      'Hatisati tanzwa kubva kuvanobata zvekubhadhara. Kana mapedza kubhadhara, mirai pano musabhadhare zvakare.',
    refresh: 'Peji ino inogadziriswa yoga. Munogona kuivhara: kubhadhara kwenyu kunoenderera mberi.',
    again: 'Tarisa izvozvi',
    back: 'Handisati ndabhadhara: sarudza nzira',
  },
  paid: {
    headings: {
      unpaid: 'Odha iyi haisati yabhadharwa',
      held: 'Tatenda. Mabhadhara zvakakwana.',
      partly_sent: 'Chikamu cheodha yenyu chatumirwa',
      sent: 'Odha yenyu yatumirwa',
      partly_received: 'Magamuchira chikamu cheodha yenyu',
      received: 'Magamuchira odha yenyu',
      disputed: 'Pane kusawirirana nezveodha iyi',
      taken_back: 'Mubhadharo wenyu wadzoswa',
      released: 'Odha iyi yapera',
      divided: 'Odha iyi yapera',
      refunded: 'Mari yenyu yadzoka',
      never_paid: 'Odha iyi yakakanzurwa',
      returned: 'Odha iyi yakakanzurwa',
      resolved: 'Kusawirirana nezveodha iyi kwagadziriswa',
    },
    where: {
      unpaid: () => 'Hapana mari yakachengeterwa odha iyi.',
      held: () => 'Mari yenyu yakachengetwa ikozvino. Mutengesi anoiona uye anogona kutumira odha yenyu.',
      partly_sent: () => 'Mutengesi ati chikamu cheodha yenyu chatumirwa. Mari yenyu ichiri kuchengetwa.',
      sent: () => 'Mutengesi ati odha yenyu yatumirwa. Mari yenyu ichiri kuchengetwa.',
      partly_received: () => 'Masimbisa kuti chikamu cheodha yenyu chasvika. Mari yenyu ichiri kuchengetwa.',
      received: () => 'Masimbisa kuti odha yenyu yasvika. Mari yenyu ichiri kuchengetwa.',
      disputed: (company) =>
        `Mari yenyu inoramba yakakiyiwa kusvika zvagadziriswa. Kana muine mibvunzo, taurai ne${company}.`,
      taken_back: (company) =>
        `Kusvika izvozvo zvaripwa, hapana mari inobuditswa paodha iyi. Kana muine mibvunzo, taurai ne${company}.`,
      released: () => 'Mari yapiwa mutengesi.',
      divided: () => 'Mari yakagovaniswa sezvakabvumiranwa.',
      refunded: () => 'Odha yapera sezvakabvumiranwa.',
      never_paid: () => 'Haina kumbobhadharwa, saka hapana mari yafamba.',
      returned: null,
      resolved: null,
    },
    releaseAt: (at) => `Ichapiwa mutengesi musi wa${at}, kunze kwekunge mataura dambudziko zuva iri risati rasvika.`,
    stillHeld: (amount) => `${amount} ichakachengetwa.`,
    retryAt: (at) => `Kubuditswa kwemari kwarambwa. Kuchaedzwazve musi wa${at}.`,
    agreed: {
      mine: (amount) => `Sezvakabvumiranwa nemutengesi, muchadzorerwa ${amount} yemari yakachengetwa.`,
      nothing: 'Sezvakabvumiranwa nemutengesi, hapana mari yakachengetwa yamuchadzorerwa.',
      theirs: (amount) => `Mutengesi achawana ${amount}.`,
      theyGetNothing: 'Mutengesi haana chaachawana.',
      at: (at) =>
        at === null
          ? 'Mari inoramba yakachengetwa kusvika yabuditswa.'
          : `Izvi zvichaitika musi wa${at}, kunze kwekunge mataura dambudziko zuva iri risati rasvika.`,
    },
    sellerGotNothing: 'Mutengesi haana chaakawana.',
    partReleased: (amount) => `${amount} yapiwa mutengesi.`,
    partReturned: (amount, company) => `${amount} yadzoka kumari yamuinayo ku${company}.`,
    takenBack: (amount) => `${amount} yemubhadharo wenyu yakadzoswa.`,
    settled: (amount) => `${amount} yemari yanga yakachengetwa yaripa izvozvo.`,
    madeGood: 'Izvozvo zvaripwa.',
    taken: (amount, company) => `${amount} yemari yenyu ku${company} yatorerwa izvozvo.`,
    owed: (amount, company) => `Muchine chikwereti che${amount} ku${company} nekuda kwaizvozvo.`,
    other: (amount, company) => `${amount} yemari yanga yakachengetwa yaripa zvimwe zvikwereti zvenyu ku${company}.`,
    at: 'Zuva rekubhadhara',
    method: 'Nzira yekubhadhara',
    methods: { card: 'Kadhi kana EFT', mobile_money: 'Mari yefoni', balance: 'Mari yamuinayo' },
    receipt: 'Nhamba yerisiti',
    download: 'Tora risiti (PDF)',
  },
  expired: {
    heading: 'Link iyi yekubhadhara yapera',
    text: (company) =>
      `Haina kubhadharwa nenguva, saka odha yakakanzurwa. Kana muchiida, kumbirai ${company} imwe link.`,
  },
  rejected: {
    heading: 'Makakanzura odha iyi',
    text: (company) =>
      `Makasarudza kusabhadhara, saka link iyi haichashandi. Kana kwaive kukanganisa, kumbirai ${company} imwe.`,
  },
  cancelled: {
    heading: 'Odha iyi yakakanzurwa',
    text: (company) =>
      `${company} yakakanzura odha isati yabhadharwa, saka link iyi haichashandi. Mari ingazosvika inodzoserwa kwamuri. Kana muine mibvunzo, taurai ne${company}.`,
  },
  lateMoney: (company) =>
    `Mari yeodha iyi yakanonoka kusvika. Ndeyenyu, uye ikozvino iri pamari yamuinayo ku${company}.`,
  receipt: {
    title: 'Risiti',
    testMode: 'KUEDZA – risiti iyi haisi yekubhadhara kwechokwadi',
    issued: 'Yakabudiswa',
    company: { tax: 'Nhamba yemutero', registration: 'Nhamba yekunyoreswa' },
  },
  errors: {
    not_found: {
      title: 'Hatisi kuwana kubhadhara uku',
      text: 'Tarisai kuti mavhura link yese here. Kana zvichiri kuramba, kumbirai itsva kune akaitumira.',
    },
    busy: {
      title: 'Chimbomirai',
      text: 'Zvikumbiro zvawandisa. Mirai miniti, mobva mavhura peji ino zvakare.',
    },
    unavailable: {
      title: 'Sevhisi yekubhadhara haisi kuwanikwa izvozvi',
      text: 'Hapana charasika: kana mabhadhara, mari yenyu yakachengeteka. Vhurai peji ino zvakare mushure meminiti.',
    },
    invalid: {
      title: 'Peji ino haivhurwi nenzira iyi',
      text: 'Vhurai link yekubhadhara yamakatumirwa motanga zvakare.',
    },
    failed: {
      title: 'Pane chakanganisika kwatiri',
      text: 'Hapana charasika: kana mabhadhara, mari yenyu yakachengeteka. Vhurai link zvakare mushure meminiti.',
    },
  },
  notices: {
    code_sent: 'Kana musina kuwana kodhi neWhatsApp mukati meminiti, tumirai imwe.',
    otp_required: 'Isai kodhi ine nhamba nhanhatu yatakakutumirai.',
    otp_invalid: 'Kodhi iyi haisiyo. Tarisai meseji yekupedzisira moedza zvakare.',
    otp_expired: 'Kodhi iyi yapera. Tumirai imwe.',
    otp_locked: 'Makodhi asiri iwo awandisa. Tumirai imwe kodhi.',
    insufficient_funds: 'Mari yamuinayo haikwani. Bhadharai neimwe nzira.',
    account_frozen: 'Mari yamuinayo haigoni kushandiswa izvozvi. Bhadharai neimwe nzira.',
    user_blacklisted: 'Kubhadhara uku hakugoni kutorwa. Taurai nekambani yakatumira link.',
    phone_invalid: 'Nhamba yefoni iyi haisiyo. Isai yese, se0771 234 567 kana +263 771 234 567.',
    too_many_requests: 'Maedza kakawandisa. Mirai zvishoma, kana kubhadhara neimwe nzira.',
    provider_unavailable:
      'Nzira iyi haisi kushanda izvozvi. Hapana chabviswa. Edzai mushure meminiti, kana neimwe nzira.',
    dependency_unavailable:
      'Hatina kukwanisa kusimbisa nenguva. Zvingangobudirira: tarisai peji ino mushure meminiti musati maedza zvakare.',
    declined: 'Kubhadhara kwekupedzisira kwakarambwa uye hapana chabviswa. Edzai zvakare, kana neimwe nzira.',
    lapsed:
      'Chikumbiro kufoni yenyu hachina kutenderwa nenguva, uye hapana chabviswa. Edzai zvakare, kana neimwe nzira.',
  },
};
