import { storyTitles } from './story-titles.ts';

/** The texts of order pages, beside those of the checkout. The other languages have the same keys and arguments. */
export const ORDER_ENGLISH = {
  title: (company: string) => `Your order – ${company}`,
  order: 'Order',
  you: { BUYER: 'You are the buyer', SELLER: 'You are the seller' },
  buyer: 'Buyer',
  seller: 'Seller',
  items: 'What was ordered',
  total: 'Total',
  untilRelease: 'Time left',

  /** What the seller reads. The buyer reads the texts of the paid page. */
  standing: {
    unpaid: { heading: 'This order is not paid yet', text: 'Wait with your delivery until the buyer has paid.' },
    held: { heading: 'The buyer has paid', text: 'The money is held in escrow for you. You can send the order.' },
    partly_sent: {
      heading: 'You sent part of the order',
      text: 'The money is still held in escrow. Report the rest when you send it.',
    },
    sent: { heading: 'You sent the order', text: 'The money is still held in escrow until the buyer has received it.' },
    partly_received: {
      heading: 'The buyer received part of the order',
      text: 'The money is still held in escrow. Send what is missing, or talk to the buyer.',
    },
    received: { heading: 'The buyer received the order', text: 'The money is still held in escrow.' },
    disputed: { heading: 'There is a dispute about this order', text: 'The money stays locked until it is settled.' },
    taken_back: {
      heading: 'The payment was taken back',
      text: 'All or part of it was charged back or refunded, so nothing is paid out for now. Send nothing before you have asked the merchant.',
    },
    released: { heading: 'The money was released to you', text: 'It is on your balance.' },
    divided: { heading: 'This order is complete', text: 'The money was divided as agreed.' },
    refunded: { heading: 'The money went back to the buyer', text: 'The order ended as agreed.' },
    never_paid: { heading: 'This order was cancelled', text: 'It was never paid, so no money moved.' },
    offset: {
      heading: 'This order was cancelled',
      text: 'The payment was taken back in whole or in part, and what was still held went back to the buyer.',
    },
    returned: { heading: 'This order was cancelled', text: 'The money went back to the buyer.' },
    resolved: { heading: 'The dispute about this order is settled', text: 'The money has been paid out.' },
  },
  releaseAt: (at: string) => `It is released to you on ${at}, unless the buyer raises a problem before then.`,
  stillHeld: (amount: string) => `${amount} is still held in escrow.`,
  retryAt: (at: string) => `The release was refused. It is tried again on ${at}.`,
  agreed: {
    mine: (amount: string) => `As agreed with the buyer, you get ${amount} of what is held.`,
    nothing: 'As agreed with the buyer, you get nothing of what is held.',
    theirs: (amount: string) => `${amount} goes back to the buyer.`,
    theyGetNothing: 'Nothing goes back to the buyer.',
    at: (at: string | null) =>
      at === null
        ? 'The money stays held until it is released.'
        : `This happens on ${at}, unless the buyer raises a problem before then.`,
  },
  youGotNothing: 'You got nothing.',
  answerBy: (at: string) => `Please answer by ${at}. After that the merchant may decide without your answer.`,
  answerIsLate: (at: string) =>
    `Your time to answer ended on ${at}. The merchant may decide now; until then you can still answer.`,
  youGot: (amount: string) => `You got ${amount}.`,
  buyerGot: (amount: string) => `${amount} went back to the buyer.`,

  acts: {
    heading: 'What you can do',
    codeText: (digits: string) =>
      `To be sure that it is you, we send a code by WhatsApp to your number that ends in ${digits}. It is valid for five minutes.`,
    send: 'Send me a code',
    sendAgain: 'Send another code',
    label: 'Six-digit code',
    unlock: 'Continue',
    open: (minuteCount: number) => `You can act on this order for ${minuteCount} minutes after a code.`,
    files: 'Photos or PDF (optional)',
    filesHelp:
      'At most five files of 10 MiB, 32 MiB together. Both sides and the merchant see them, and they cannot be changed.',
    openPage: 'Open the order to act',
    carrier: 'Carrier (optional)',
    trackingNumber: 'Tracking number (optional)',
    trackingUrl: 'Address of the tracking page (optional)',
    part: 'Which part?',
    paysPart: 'With your confirmation this part is paid out.',
    all: 'Everything that is held',
    bankName: 'Bank',
    branchCode: 'Branch code',
    accountNumber: 'Account number',
    accountName: 'Account holder',
    payoutAmount: (currency: string) => `Amount (${currency})`,
    mustAsk: 'The merchant has to agree first.',
    note: 'Note (optional)',
    reason: 'What happened?',
    cancelReason: 'Why do you want to cancel?',
    evidenceText: 'Your message to both sides',
    amount: (currency: string) => `The seller gets (${currency})`,
    most: (amount: string) => `At most ${amount}. The rest goes back to the buyer.`,
    hours: 'Hours',
    pieces: (name: string, most: string) => `${name}: pieces (of ${most})`,
    confirm_receipt: {
      name: 'I received the order',
      hint: 'All of it, or a part',
      button: 'Confirm receipt',
      code: 'confirm receipt',
    },
    release: {
      name: 'Pay the seller now',
      asAgreed: 'Divide the money as agreed now',
      hint: 'Ends the order',
      button: 'Release the money',
      code: 'release the money',
    },
    extend: {
      name: 'I need more time',
      hint: 'Postpones the automatic release, once',
      button: 'Postpone',
      code: 'postpone the release',
    },
    ask_cancel: {
      name: 'Cancel the order',
      hint: 'Your money comes back',
      button: 'Cancel the order',
      code: 'cancel the order',
    },
    dispatch: {
      name: 'I sent the order',
      hint: 'All of it, or a part',
      button: 'Report the delivery',
      code: 'report a delivery',
    },
    dispute: {
      name: 'Something is wrong',
      hint: 'Stops the release at once',
      button: 'Open a dispute',
      code: 'open a dispute',
    },
    evidence: {
      name: 'Add to the dispute',
      hint: 'Both sides and the merchant read it',
      button: 'Send',
      code: 'add to the dispute',
    },
    propose: {
      name: 'Propose another split',
      hint: 'The other side may accept or reject it',
      button: 'Propose',
      code: 'propose a split',
    },
    answer: {
      name: 'Answer the proposal',
      hint: 'Waits for you',
      button: 'Accept',
      reject: 'Reject',
      code: 'answer a proposal',
    },
    payout_details: {
      name: 'Where you are paid',
      hint: 'Your bank details',
      button: 'Save',
      code: 'change your bank details',
    },
    payout: {
      name: 'Pay me out',
      hint: 'To your bank account',
      button: 'Pay out',
      code: 'pay out your balance',
    },
    needsConsent: 'The seller has to agree',
    askedAsProposal:
      'A part was already sent or paid out, so the seller has to agree: you propose that all that is held comes back to you.',
  },
  milestones: {
    heading: 'Parts of the order',
    PENDING: 'Held in escrow',
    RELEASED: 'Released to the seller',
    REFUNDED: 'Back to the buyer',
  },
  money: {
    heading: 'Your balance',
    available: (amount: string) => `You have ${amount}.`,
    to: (account: string) => `It is paid out to ${account}.`,
    nowhere: 'There are no bank details yet.',
    unusable: 'The stored bank details cannot be used.',
    from: (at: string) => `New bank details can be used from ${at}.`,
    statuses: {
      PROCESSING: 'On its way to your bank',
      COMPLETED: 'Paid out',
      FAILED: 'The bank refused it; the money is back on your balance',
      CANCELLED: 'Cancelled; the money is back on your balance',
      REVERSED: 'The bank returned it; the money is back on your balance',
    },
  },
  requests: {
    PENDING: (until: string) => `You asked for this. It waits for the merchant until ${until}.`,
    APPROVED: (_until: string) => 'The merchant agreed.',
    REFUSED: (_until: string) => 'The merchant refused your request.',
    LAPSED: (_until: string) => 'The merchant did not answer your request in time.',
  },
  proposal: {
    mine: 'Your proposal waits for an answer',
    theirs: 'The other side proposes',
    youGet: (amount: string) => `You get ${amount}.`,
    sellerGets: (amount: string) => `The seller gets ${amount}.`,
    buyerGets: (amount: string) => `The buyer gets ${amount}.`,
    until: (at: string) => `It lapses on ${at}.`,
  },

  story: {
    file: 'File',
    link: 'Follow the parcel',
    heading: 'What happened',
    ...storyTitles('en'),
    by: { BUYER: 'Buyer', SELLER: 'Seller', ADMIN: 'Merchant', COMPANY: 'Merchant', SYSTEM: '' },
  },

  /** Pages without an order. */
  errors: {
    not_found: {
      title: 'We cannot find this order',
      text: 'Check that you opened the whole link. If it still does not work, ask the merchant who sent it for a new one.',
    },
    invalid: {
      title: 'This page cannot be opened this way',
      text: 'Please open the link to your order again.',
    },
    failed: {
      title: 'Something went wrong on our side',
      text: 'Please open the link to your order again in a minute. It shows how the order stands.',
    },
  },

  notices: {
    done: 'Done. The order below shows it.',
    asked: 'Your request was sent to the merchant. It waits below.',
    code_sent: 'If you do not get a code by WhatsApp within a minute, send another one.',
    code_needed: 'Your time for acting is over. Send yourself another code.',
    otp_invalid: 'That code is wrong. Check the latest message and try again.',
    otp_expired: 'That code has expired. Send yourself another one.',
    otp_locked: 'There were too many wrong codes. Send yourself another one.',
    too_many_requests: 'Too many attempts. Please wait a little.',
    provider_unavailable: 'The message could not be sent. Please try again in a minute.',
    dependency_unavailable: 'We could not confirm this in time. Look at this page in a minute before you try again.',
    wrong_state: 'This is no longer possible: the order has changed. The page shows how it stands.',
    limit_reached: 'You have asked too often. Please contact the merchant.',
    insufficient_funds: 'Your balance is too small for this amount.',
    bank_details_cooling: 'Your new bank details cannot be used yet.',
    bank_code_refused:
      'The bank does not take this branch code or account number. Use letters, digits, spaces, - and / only.',
    bank_name_refused:
      'The bank does not take the name of the bank or of the account holder. Write it in Latin letters.',
    details_unreadable: 'This cannot be done right now. Please contact the merchant.',
    payout_not_backed: 'This cannot be paid out right now. Please contact the merchant.',
    receivable_open: 'This cannot be paid out right now. Please contact the merchant.',
    unsupported_media_type: 'Nothing was sent: a file is neither a photo nor a PDF, or it is damaged.',
    payload_too_large:
      'Nothing was sent: the files are too large. Each may have 10 MiB, all together 32 MiB. Choose smaller ones and send the form again.',
    own_proposal: 'This is your own proposal. The other side has to answer it.',
    negotiation_pending: 'A proposal already waits for an answer.',
    split_exceeds_held: 'This is more than is held for the order.',
    quantity_exceeds_order: 'These are more pieces than were ordered.',
    validation_failed: 'Something in the form is missing or wrong. Please check it.',
    payment_charged_back: 'The payment was charged back, so nothing can be paid out now.',
    user_blacklisted: 'This cannot be done. Please contact the merchant.',
    account_frozen: 'This cannot be done right now. Please contact the merchant.',
  },
};
export type OrderTexts = typeof ORDER_ENGLISH;
